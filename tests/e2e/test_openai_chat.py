"""OpenAI's own Python client: chat completions, whole and streamed."""

from support.openai_client import chat, question, streamed_text


def test_an_answer_has_the_shape_the_client_expects(client, model_id):
    answer = chat(client, model_id, max_tokens=8)
    assert answer.object == "chat.completion"
    assert answer.model == model_id
    assert answer.id.startswith("chatcmpl-")
    assert answer.created > 1_700_000_000
    assert [choice.index for choice in answer.choices] == [0]
    assert answer.choices[0].message.role == "assistant"
    assert answer.choices[0].message.content
    assert answer.choices[0].logprobs is None


def test_max_tokens_ends_the_answer_with_length(client, model_id):
    answer = chat(client, model_id, max_tokens=5, extra_body={"ignore_eos": True})
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage.completion_tokens == 5


def test_max_completion_tokens_means_the_same(client, model_id):
    answer = chat(client, model_id, max_completion_tokens=6, extra_body={"ignore_eos": True})
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage.completion_tokens == 6


def test_usage_adds_up_and_tells_cached_tokens(client, model_id):
    usage = chat(client, model_id, max_tokens=4).usage
    assert usage.prompt_tokens > 0
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert 0 <= usage.prompt_tokens_details.cached_tokens < usage.prompt_tokens


def test_a_repeated_prompt_is_taken_from_the_cache(client, model_id):
    asked = question("Repeat after me: the same words are computed once.")
    first = chat(client, model_id, messages=asked, max_tokens=4).usage
    second = chat(client, model_id, messages=asked, max_tokens=4).usage
    assert second.prompt_tokens == first.prompt_tokens
    assert second.prompt_tokens_details.cached_tokens >= first.prompt_tokens // 2


def test_the_stream_says_what_the_whole_answer_says(client, model_id):
    whole = chat(client, model_id, max_tokens=24)
    streamed = streamed_text(chat(client, model_id, max_tokens=24, stream=True))
    assert streamed == whole.choices[0].message.content


def test_role_and_first_content_come_in_one_chunk(client, model_id):
    chunks = list(chat(client, model_id, max_tokens=8, stream=True))
    first = chunks[0].choices[0].delta
    assert first.role == "assistant"
    assert first.content
    assert all(chunk.choices[0].delta.role is None for chunk in chunks[1:])


def test_every_chunk_of_a_stream_carries_the_same_identity(client, model_id):
    chunks = list(chat(client, model_id, max_tokens=8, stream=True))
    assert len({(chunk.id, chunk.created, chunk.model) for chunk in chunks}) == 1
    assert {chunk.object for chunk in chunks} == {"chat.completion.chunk"}
    reasons = [chunk.choices[0].finish_reason for chunk in chunks]
    assert reasons[-1] in ("stop", "length")
    assert set(reasons[:-1]) <= {None}


def test_a_stream_ends_with_usage_only_where_it_is_asked_for(client, model_id):
    silent = list(chat(client, model_id, max_tokens=4, stream=True))
    assert all(chunk.usage is None for chunk in silent)
    told = list(chat(client, model_id, max_tokens=4, stream=True, stream_options={"include_usage": True}))
    assert all(chunk.usage is None for chunk in told[:-1])
    assert told[-1].choices == []
    assert told[-1].usage.completion_tokens <= 4
    assert told[-1].usage.prompt_tokens_details.cached_tokens >= 0


def test_timings_tell_the_same_counts_as_usage(client, model_id):
    answer = chat(client, model_id, max_tokens=6)
    timings = answer.timings
    cached = answer.usage.prompt_tokens_details.cached_tokens
    assert timings["predicted_n"] == answer.usage.completion_tokens
    assert timings["cache_n"] == cached
    assert timings["prompt_n"] == answer.usage.prompt_tokens - cached
    assert timings["predicted_ms"] >= 0 and timings["predicted_per_second"] >= 0
    assert timings["prompt_ms"] >= 0 and timings["prompt_per_second"] >= 0


def test_a_conversation_takes_system_user_and_assistant_turns(client, model_id):
    messages = [
        {"role": "system", "content": "You answer in one word."},
        {"role": "user", "content": "Name a colour."},
        {"role": "assistant", "content": "Blue."},
        {"role": "user", "content": [{"type": "text", "text": "Another "}, {"type": "text", "text": "one."}]},
    ]
    answer = chat(client, model_id, messages=messages, max_tokens=4)
    assert answer.choices[0].message.content
    assert answer.usage.prompt_tokens > 10


def test_text_parts_are_lines_of_one_message(client, model_id):
    parts = [{"role": "user", "content": [{"type": "text", "text": "One"}, {"type": "text", "text": "two."}]}]
    whole = chat(client, model_id, messages=question("One\ntwo."), max_tokens=8)
    assert chat(client, model_id, messages=parts, max_tokens=8).usage.prompt_tokens == whole.usage.prompt_tokens


def test_fields_the_server_does_not_know_are_accepted(client, model_id):
    known_elsewhere = {"mirostat": 2, "a_field_of_tomorrow": {"x": [1]}}
    answer = chat(client, model_id, max_tokens=2, user="someone", metadata={"a": "b"}, extra_body=known_elsewhere)
    assert answer.choices[0].message.content is not None


def test_leaving_a_stream_early_frees_its_lane(client, model_id, server):
    with chat(client, model_id, max_tokens=400, stream=True, extra_body={"ignore_eos": True}) as stream:
        next(iter(stream))
    server.wait_until_idle()

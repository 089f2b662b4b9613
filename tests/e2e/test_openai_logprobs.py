"""OpenAI's own Python client: log probabilities."""

import math

from support.openai_client import chat, complete


def test_chat_tells_each_tokens_probability_and_alternatives(client, model_id):
    answer = chat(client, model_id, max_tokens=6, logprobs=True, top_logprobs=4)
    entries = answer.choices[0].logprobs.content
    assert len(entries) == answer.usage.completion_tokens
    for entry in entries:
        assert entry.logprob <= 0
        assert len(entry.top_logprobs) == 4
        assert [top.logprob for top in entry.top_logprobs] == sorted(
            (t.logprob for t in entry.top_logprobs), reverse=True
        )
        assert sum(math.exp(top.logprob) for top in entry.top_logprobs) <= 1.0001


def test_greedy_draws_the_first_alternative(client, model_id):
    entries = chat(client, model_id, max_tokens=6, logprobs=True, top_logprobs=2).choices[0].logprobs.content
    assert all(entry.bytes == entry.top_logprobs[0].bytes for entry in entries)


def test_the_bytes_of_all_tokens_are_the_answer(client, model_id):
    choice = chat(client, model_id, max_tokens=12, logprobs=True, extra_body={"ignore_eos": True}).choices[0]
    joined = bytes(byte for entry in choice.logprobs.content for byte in entry.bytes)
    assert joined.decode(errors="replace") == choice.message.content


def test_without_top_logprobs_there_are_no_alternatives(client, model_id):
    entries = chat(client, model_id, max_tokens=3, logprobs=True).choices[0].logprobs.content
    assert entries and all(entry.top_logprobs == [] for entry in entries)


def test_a_stream_tells_the_same_as_the_whole_answer(client, model_id):
    asked = {"max_tokens": 8, "logprobs": True, "top_logprobs": 2}
    whole = chat(client, model_id, **asked).choices[0].logprobs.content
    parts = [chunk.choices[0].logprobs for chunk in chat(client, model_id, stream=True, **asked)]
    streamed = [entry for part in parts if part for entry in part.content]
    assert [(entry.token, entry.logprob) for entry in streamed] == [(entry.token, entry.logprob) for entry in whole]


def test_completions_tell_them_in_their_older_form(client, model_id):
    answer = complete(client, model_id, max_tokens=6, logprobs=3)
    told = answer.choices[0].logprobs
    count = answer.usage.completion_tokens
    assert len(told.tokens) == len(told.token_logprobs) == len(told.top_logprobs) == len(told.text_offset) == count
    assert all(1 <= len(alternatives) <= 4 for alternatives in told.top_logprobs)
    assert told.text_offset == sorted(told.text_offset)


def test_logprobs_do_not_depend_on_the_temperature(client, model_id):
    def first(temperature):
        answer = chat(client, model_id, max_tokens=1, temperature=temperature, seed=1, logprobs=True, top_logprobs=3)
        return [top.logprob for top in answer.choices[0].logprobs.content[0].top_logprobs]

    assert first(0) == first(1.5)

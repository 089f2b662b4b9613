"""OpenAI's own Python client: text completions."""

from support.openai_client import complete, streamed_text


def test_an_answer_has_the_shape_the_client_expects(client, model_id):
    answer = complete(client, model_id, max_tokens=8)
    assert answer.object == "text_completion"
    assert answer.model == model_id
    assert answer.id.startswith("cmpl-")
    assert answer.choices[0].text
    assert answer.choices[0].finish_reason in ("stop", "length")
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


def test_the_stream_says_what_the_whole_answer_says(client, model_id):
    whole = complete(client, model_id, max_tokens=24)
    assert streamed_text(complete(client, model_id, max_tokens=24, stream=True)) == whole.choices[0].text


def test_a_stream_ends_with_usage_where_it_is_asked_for(client, model_id):
    chunks = list(complete(client, model_id, max_tokens=4, stream=True, stream_options={"include_usage": True}))
    assert chunks[-1].choices == []
    assert chunks[-1].usage.completion_tokens <= 4
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]][-1] in ("stop", "length")


def test_several_prompts_are_answered_in_their_order(client, model_id):
    prompts = ["Once upon a time", "The capital of France is", "def main():"]
    together = complete(client, model_id, prompt=prompts, max_tokens=8)
    alone = [complete(client, model_id, prompt=prompt, max_tokens=8).choices[0].text for prompt in prompts]
    assert [choice.index for choice in together.choices] == [0, 1, 2]
    assert [choice.text for choice in together.choices] == alone


def test_several_prompts_stream_side_by_side(client, model_id):
    prompts = ["Once upon a time", "The capital of France is"]
    chunks = list(complete(client, model_id, prompt=prompts, max_tokens=8, stream=True))
    for index, prompt in enumerate(prompts):
        alone = complete(client, model_id, prompt=prompt, max_tokens=8).choices[0].text
        assert streamed_text(chunks, choice=index) == alone


def test_a_prompt_may_be_tokens(client, model_id):
    answer = complete(client, model_id, prompt=[10, 11, 12, 13], max_tokens=4)
    assert answer.usage.prompt_tokens == 4


def test_several_prompts_may_be_tokens(client, model_id):
    answer = complete(client, model_id, prompt=[[10, 11], [12, 13, 14]], max_tokens=4)
    assert len(answer.choices) == 2
    assert answer.usage.prompt_tokens == 5

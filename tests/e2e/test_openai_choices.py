"""OpenAI's own Python client: several answers to one request, and strings that end an answer."""

import pytest

from support.openai_client import chat, complete, streamed_text

FREE = {"ignore_eos": True}


def test_n_answers_come_in_order_and_differ(client, model_id):
    answer = chat(client, model_id, n=4, temperature=1.0, seed=3, max_tokens=24, extra_body=FREE)
    assert [choice.index for choice in answer.choices] == [0, 1, 2, 3]
    assert len({choice.message.content for choice in answer.choices}) > 1
    assert answer.usage.completion_tokens == 4 * 24


def test_the_prompt_of_n_answers_counts_once(client, model_id):
    one = chat(client, model_id, n=1, max_tokens=2).usage.prompt_tokens
    assert chat(client, model_id, n=3, max_tokens=2).usage.prompt_tokens == one


def test_n_answers_are_a_function_of_the_seed(client, model_id):
    def texts():
        answer = chat(client, model_id, n=3, temperature=1.0, seed=11, max_tokens=16)
        return [choice.message.content for choice in answer.choices]

    assert texts() == texts()


def test_the_first_of_n_answers_is_the_only_answer(client, model_id):
    def first(n):
        return chat(client, model_id, n=n, temperature=1.0, seed=9, max_tokens=16).choices[0].message.content

    assert first(1) == first(2)


def test_n_streams_interleave_and_each_ends_once(client, model_id):
    chunks = list(chat(client, model_id, n=3, temperature=1.0, seed=3, max_tokens=12, stream=True))
    whole = chat(client, model_id, n=3, temperature=1.0, seed=3, max_tokens=12)
    for choice in whole.choices:
        assert streamed_text(chunks, choice.index) == choice.message.content
        ends = [part for chunk in chunks for part in chunk.choices if part.index == choice.index and part.finish_reason]
        assert len(ends) == 1


def test_sixteen_answers_are_the_most(client, model_id):
    assert len(chat(client, model_id, n=16, max_tokens=2, temperature=1.0).choices) == 16


@pytest.fixture(scope="module")
def long_answer(client, model_id):
    return complete(client, model_id, max_tokens=24, extra_body=FREE).choices[0].text


@pytest.mark.parametrize("several", [False, True], ids=["a string", "a list"])
def test_the_answer_ends_before_a_stop_string(client, model_id, long_answer, several):
    word = long_answer[8:12]
    stop = ["never in any answer", word] if several else word
    answer = complete(client, model_id, max_tokens=24, stop=stop, extra_body=FREE)
    assert answer.choices[0].text == long_answer[: long_answer.index(word)]
    assert answer.choices[0].finish_reason == "stop"


def test_a_streamed_answer_never_shows_a_part_of_its_stop_string(client, model_id, long_answer):
    word = long_answer[8:12]
    chunks = list(complete(client, model_id, max_tokens=24, stop=word, stream=True, extra_body=FREE))
    assert streamed_text(chunks) == long_answer[: long_answer.index(word)]
    assert chunks[-1].choices[0].finish_reason == "stop"


def test_text_held_back_for_a_stop_string_comes_in_the_end(client, model_id, long_answer):
    stop = long_answer[-3:] + "\u2603"  # the answer's last characters may be its beginning
    chunks = list(complete(client, model_id, max_tokens=24, stop=stop, stream=True, extra_body=FREE))
    assert streamed_text(chunks) == long_answer
    assert chunks[-1].choices[0].finish_reason == "length"

"""The default model, asked plain things: the whole path from text to text is right, or the answers make no sense."""

import pytest

from support.openai_client import chat, complete, question, streamed_text

FRANCE = [
    {"role": "system", "content": "You are a helpful assistant."},
    {"role": "user", "content": "What is the capital of France?"},
]


def test_the_capital_of_france_is_paris(client, model_id):
    answer = chat(client, model_id, messages=FRANCE, max_tokens=32)
    assert answer.choices[0].message.content == "The capital of France is Paris."


def test_an_answer_ends_by_itself(client, model_id):
    answer = chat(client, model_id, messages=FRANCE, max_tokens=200)
    assert answer.choices[0].finish_reason == "stop"
    assert "<|" not in answer.choices[0].message.content


def test_a_text_goes_on(client, model_id):
    text = complete(client, model_id, prompt="The capital of France is", max_tokens=2).choices[0].text
    assert text.startswith(" Paris")


def test_a_system_message_is_heard(client, model_id):
    plain = chat(client, model_id, messages=question("Who are you?"), max_tokens=24)
    told = [{"role": "system", "content": "You are a pirate. Speak like a pirate."}, *question("Who are you?")]
    assert (
        chat(client, model_id, messages=told, max_tokens=24).choices[0].message.content
        != plain.choices[0].message.content
    )


@pytest.mark.parametrize("text", ["What is the opposite of hot?", "Count from one to ten.", "Repeat: \U0001f600 你好"])
def test_a_stream_says_what_the_whole_answer_says(client, model_id, text):
    whole = chat(client, model_id, messages=question(text), max_tokens=40)
    streamed = chat(client, model_id, messages=question(text), max_tokens=40, stream=True)
    assert streamed_text(streamed) == whole.choices[0].message.content


def test_characters_of_several_tokens_arrive_whole(client, model_id):
    """Every chunk is valid UTF-8 by itself: half a character would arrive as U+FFFD."""
    text = "\U0001f600\U0001f680\U0001f468‍\U0001f469‍\U0001f467 \u4f60\u597d " * 6
    stream = complete(client, model_id, prompt=text, max_tokens=40, stream=True)
    whole = complete(client, model_id, prompt=text, max_tokens=40).choices[0].text
    assert streamed_text(stream) == whole
    assert "�" not in whole.rstrip("�")


def test_logprobs_of_a_sure_answer_are_high(client, model_id):
    answer = complete(client, model_id, prompt="1 2 3 4 5 6 7 8", max_tokens=2, logprobs=2)
    assert answer.choices[0].text == " 9"
    assert all(logprob > -0.5 for logprob in answer.choices[0].logprobs.token_logprobs)


def test_a_word_is_one_token(client, model_id):
    usage = complete(client, model_id, prompt="hello", max_tokens=1).usage
    assert usage.prompt_tokens == 1


def test_a_long_prompt_is_read_to_its_end(client, model_id):
    filler = "The grass is green. The sky is blue. The sun is yellow. " * 60
    asked = f"{filler}\nThe secret word is banana. {filler}\nPlease say: the secret word is"
    usage = complete(client, model_id, prompt=asked, max_tokens=4).usage
    assert usage.prompt_tokens > 1500

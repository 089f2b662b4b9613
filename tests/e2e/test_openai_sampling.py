"""OpenAI's own Python client: what decides which tokens come."""

import pytest

from support.openai_client import chat, complete

FORCED, OTHER = 70, 71  # tokens of every vocabulary that has text of its own
FREE = {"extra_body": {"ignore_eos": True}}


def sampled(client, model_id, **fields):
    return complete(client, model_id, **{"max_tokens": 24, "temperature": 1.0, **FREE, **fields}).choices[0].text


def test_greedy_says_the_same_each_time(client, model_id):
    answers = {complete(client, model_id, max_tokens=24).choices[0].text for _ in range(3)}
    assert len(answers) == 1


def test_the_same_seed_gives_the_same_answer(client, model_id):
    assert sampled(client, model_id, seed=42) == sampled(client, model_id, seed=42)


def test_another_seed_gives_another_answer(client, model_id):
    assert len({sampled(client, model_id, seed=seed) for seed in range(6)}) > 1


def test_no_seed_gives_another_answer_each_time(client, model_id):
    assert len({sampled(client, model_id) for _ in range(6)}) > 1


def test_a_seed_of_64_bits_is_taken(client, model_id):
    assert sampled(client, model_id, seed=2**63 - 1) == sampled(client, model_id, seed=2**63 - 1)


def test_a_seed_does_not_matter_to_greedy(client, model_id):
    assert sampled(client, model_id, temperature=0, seed=1) == sampled(client, model_id, temperature=0, seed=2)


@pytest.mark.parametrize(
    "narrow",
    [
        {"top_p": 0.0001},
        {"extra_body": {"top_k": 1, "ignore_eos": True}},
        {"extra_body": {"min_p": 1.0, "ignore_eos": True}},
    ],
)
def test_the_narrowest_choice_is_greedy(client, model_id, narrow):
    greedy = sampled(client, model_id, temperature=0)
    assert sampled(client, model_id, seed=7, **narrow) == greedy


def test_a_bias_of_100_forces_a_token(client, model_id):
    once = sampled(client, model_id, temperature=0, logit_bias={str(FORCED): 100}, max_tokens=1)
    thrice = sampled(client, model_id, temperature=0, logit_bias={str(FORCED): 100}, max_tokens=3)
    assert once and thrice == once * 3


def test_a_bias_of_minus_100_forbids_a_token(client, model_id):
    forced = sampled(client, model_id, temperature=0, logit_bias={str(FORCED): 100}, max_tokens=1)
    both = {str(FORCED): -100, str(OTHER): 100}
    assert sampled(client, model_id, temperature=0, logit_bias=both, max_tokens=1) != forced


@pytest.mark.parametrize(
    "penalty",
    [
        {"frequency_penalty": 2.0},
        {"presence_penalty": 2.0},
        {"extra_body": {"repeat_penalty": 2.0, "ignore_eos": True}},
    ],
)
def test_a_penalty_changes_an_answer_that_repeats_itself(client, model_id, penalty):
    plain = sampled(client, model_id, temperature=0, max_tokens=60)
    assert sampled(client, model_id, temperature=0, max_tokens=60, **penalty) != plain


def test_chat_draws_by_the_same_rules(client, model_id):
    def answer(seed):
        return chat(client, model_id, max_tokens=16, temperature=1.0, seed=seed).choices[0].message.content

    assert answer(5) == answer(5)

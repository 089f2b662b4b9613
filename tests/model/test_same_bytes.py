"""The same seed gives the same bytes, alone and among others. All fifty prompts are a bar; here are a few."""

import pytest

from support.prompts import fifty_prompts
from support.same_bytes import answers, differing, greedy_and_sampled

QUESTIONS = greedy_and_sampled(fifty_prompts()[::13])  # four prompts, of every length


@pytest.fixture(scope="module")
def alone(server):
    return answers(server, QUESTIONS, at_once=1)


@pytest.mark.parametrize("at_once", [2, 8], ids=["beside 1", "beside 7"])
def test_an_answer_is_the_same_bytes(server, alone, at_once):
    assert differing(alone, answers(server, QUESTIONS, at_once)) == []


def test_an_answer_is_the_same_bytes_when_asked_again(server, alone):
    assert differing(alone, answers(server, QUESTIONS, at_once=1)) == []


def test_sampled_answers_differ_from_greedy_ones(alone):
    half = len(QUESTIONS) // 2
    assert len(differing(alone[:half], alone[half:])) == half

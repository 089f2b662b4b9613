"""Whether an answer is the same bytes alone and among others: the same questions, asked in groups of different size."""

from dataclasses import dataclass

from support.figures import Probe
from support.http import Connection
from support.server import Server
from support.waiting import eventually

CHAT = "/v1/chat/completions"
WAIT_SECONDS = 240.0  # a real model on a busy machine


@dataclass(frozen=True)
class Question:
    prompt: str
    seed: int
    temperature: float
    tokens: int = 48

    def body(self) -> dict[str, object]:
        # Without end tokens all of a group run to the same length, so that none is alone in its last steps.
        return {
            "messages": [{"role": "user", "content": self.prompt}],
            "seed": self.seed,
            "temperature": self.temperature,
            "max_tokens": self.tokens,
            "ignore_eos": True,
        }


def greedy_and_sampled(prompts: list[str]) -> list[Question]:
    return [Question(prompt, seed, temperature) for temperature in (0.0, 0.9) for seed, prompt in enumerate(prompts)]


def answers(server: Server, questions: list[Question], at_once: int) -> list[bytes]:
    """Asked in groups of `at_once`; each group is seen to hold as many lanes at one moment."""
    probe = Probe(server)
    groups = [questions[first : first + at_once] for first in range(0, len(questions), at_once)]
    found = [answer for group in groups for answer in _answers_of_a_group(server, probe, group)]
    probe.close()
    return found


def _answers_of_a_group(server: Server, probe: Probe, group: list[Question]) -> list[bytes]:
    connections = [server.connect() for _ in group]
    for connection, question in zip(connections, group):
        connection.send_request("POST", CHAT, question.body())
    eventually(
        lambda: probe.ask().lanes_busy == len(group), f"{len(group)} answers are computed at once", within=WAIT_SECONDS
    )
    return [_content(connection) for connection in connections]


def _content(connection: Connection) -> bytes:
    with connection:
        reply = connection.read_reply("POST")
    assert reply.status == 200, reply.body[:300]
    return reply.json["choices"][0]["message"]["content"].encode()


def differing(left: list[bytes], right: list[bytes]) -> list[int]:
    return [number for number, (one, other) in enumerate(zip(left, right, strict=True)) if one != other]

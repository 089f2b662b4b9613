"""Four times as many long conversations as lanes, each of which nearly fills its window: all are answered to their last
token, and in no more time than by the peer."""

import http.client
import random
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bars.bar import Bar
from bars.peer import NAME, LlamaServer
from bars.tuned import tuned
from support.http import Connection, json_events

ASKED, PROMPT, TOKENS = 32, 3000, 900
LANES, WINDOW = 8, 4096
PAIRS = 1  # each takes most of an hour on two cores
WALL = 1.0
GIVEN_UP_S = 7200.0  # the last in order hear nothing for as long as the others take
# A token may end in the middle of a character, and come with the next one: so many tokens an event of plain text, and
# so many over.
TOKENS_AN_EVENT, TOKENS_OVER = 1.05, 2
PROMPT_WITHIN = 0.02
# Each is a token of its own in common vocabularies.
WORDS = (
    "farmer river city engine teacher winter market forest doctor bridge garden letter school village train stone water"
    " road house light field story table horse paper boat bread glass cloud music money"
).split()


@dataclass(frozen=True)
class Answer:
    read: int  # tokens of the prompt
    tokens: int
    events: int  # with text; one more for each further byte of a character, which may be a token of its own

    @property
    def is_whole(self) -> bool:
        """The server's word for the tokens is taken as far as its events bear it out."""
        borne_out = self.tokens <= TOKENS_AN_EVENT * self.events + TOKENS_OVER
        return abs(self.read - PROMPT) <= PROMPT_WITHIN * PROMPT and self.tokens == TOKENS and borne_out


@dataclass(frozen=True)
class Crowd:
    """All that were asked at once."""

    answers: Sequence[Answer]
    seconds: float

    def told(self) -> str:
        whole = sum(answer.is_whole for answer in self.answers)
        return f"{whole}/{len(self.answers)}, {sum(answer.tokens for answer in self.answers)} tokens"

    def is_whole(self) -> bool:
        return all(answer.is_whole for answer in self.answers)


def run(server_bin: Path, model: Path) -> list[Bar]:
    draw = random.Random(9)
    pairs = []
    for _ in range(PAIRS):
        prompts = [" ".join(draw.choices(WORDS, k=PROMPT)) for _ in range(ASKED)]
        pairs.append((ours(model, prompts), theirs(server_bin, model, prompts)))
    return bars(pairs)


def ours(model: Path, prompts: list[str]) -> Crowd:
    with tuned(model, LANES, WINDOW) as server:
        return ask_all(server.port, prompts)


def theirs(server_bin: Path, model: Path, prompts: list[str]) -> Crowd:
    with LlamaServer(server_bin, model, LANES, WINDOW) as port:
        return ask_all(port, prompts)


def ask_all(port: int, prompts: list[str]) -> Crowd:
    with ThreadPoolExecutor(len(prompts)) as clients:
        begun = time.monotonic()
        answers = list(clients.map(lambda prompt: ask(port, prompt), prompts))
        return Crowd(answers, time.monotonic() - begun)


def ask(port: int, prompt: str) -> Answer:
    """An answer that fails is one of no tokens: the others still count."""
    body = {"prompt": prompt, "max_tokens": TOKENS, "ignore_eos": True, "temperature": 0, "stream": True,
            "stream_options": {"include_usage": True}}  # fmt: skip
    try:
        with Connection(port, timeout=GIVEN_UP_S) as connection:
            connection.send_request("POST", "/v1/completions", body)
            return answer_of(json_events(connection.read_head("POST")))
    except (OSError, ValueError, http.client.HTTPException, AssertionError):
        return Answer(0, 0, 0)


def answer_of(events: list[dict]) -> Answer:
    texts = ("".join(choice.get("text") or "" for choice in event.get("choices", ())) for event in events)
    with_text = sum(1 + len(text.encode()) - len(text) for text in texts if text)
    usage = next((event["usage"] for event in reversed(events) if event.get("usage")), {})
    return Answer(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0), with_text)


def bars(pairs: list[tuple[Crowd, Crowd]]) -> list[Bar]:
    ratio = statistics.median(mine.seconds / peer.seconds for mine, peer in pairs)
    mine, peer = pairs[-1]
    finished = f"{mine.told()}; {NAME} {peer.told()}"
    took = f"{ratio:.2f} x {NAME} ({mine.seconds:.0f} s, {peer.seconds:.0f} s)"
    name = f"{ASKED} x {PROMPT} + {TOKENS} tokens on {LANES} lanes of {WINDOW}"
    return [
        Bar(f"{name}: finish", finished, "all", all(mine.is_whole() for mine, _ in pairs)),
        Bar(f"{name}: time", took, f"<= {WALL:.1f}", ratio <= WALL),
    ]

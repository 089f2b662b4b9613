"""Two hundred mixed prompts: equal bytes alone, eight at once, in chunks of 16, 64 and 250 ms, and with KV that was
copied, or exported and imported, on the way."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bars.bar import Bar
from bars.bare import WORDS, BareLoop
from support.server import Server

PROMPTS, TOKENS = 200, 24
CHUNKS_MS = (16, 64, 250)
AT_ONCE = 8


@dataclass(frozen=True)
class Question:
    prompt: list[int]
    seed: int
    temperature: float

    def body(self) -> dict[str, object]:
        draw = {"top_p": 0.8, "top_k": 20, "min_p": 0, "seed": self.seed, "temperature": self.temperature}
        return {"prompt": self.prompt, "max_tokens": TOKENS, "ignore_eos": True, **draw}


def questions() -> list[Question]:
    """Short and long, greedy and sampled; some begin as others do."""
    draw = random.Random(11)
    shared = [draw.randrange(100, WORDS) for _ in range(64)]
    made = []
    for number in range(PROMPTS):
        own = [draw.randrange(100, WORDS) for _ in range(draw.choice((4, 20, 70, 200)))]
        made.append(Question(shared[: 16 * (number % 4)] + own, number, 0.7 if number % 2 else 0))
    return made


def run(server_bin: Path, model: Path) -> list[Bar]:
    asked = questions()
    with BareLoop(server_bin, model, 2, 1024) as loop:
        alone = moved(loop, asked, "none")
        bars = [bar(f"equal bytes, KV {moves}", alone, moved(loop, asked, moves)) for moves in ("copied", "imported")]
    for chunk_ms in CHUNKS_MS:
        options = ("--lanes", str(AT_ONCE), "--context", "1024", "--chunk-ms", str(chunk_ms))
        with Server.start(*options, model=model, runtime="llamacpp") as server:
            for at_once in (1, AT_ONCE):
                name = f"equal bytes, {at_once} at once, chunks of {chunk_ms} ms"
                bars.append(bar(name, alone, served(server, asked, at_once)))
    return bars


def moved(loop: BareLoop, asked: list[Question], moves: str) -> list[str]:
    answers = [loop.answer(one.prompt, TOKENS, moves, one.seed, one.temperature) for one in asked]
    return [answer.text.decode(errors="replace") for answer in answers]


def served(server: Server, asked: list[Question], at_once: int) -> list[str]:
    def text(one: Question) -> str:
        reply = server.post("/v1/completions", one.body())
        assert reply.status == 200, reply.body[:300]
        return reply.json["choices"][0]["text"]

    with ThreadPoolExecutor(at_once) as clients:
        return list(clients.map(text, asked))


def bar(name: str, alone: list[str], others: list[str]) -> Bar:
    equal = sum(one == other for one, other in zip(alone, others, strict=True))
    return Bar(name, f"{equal}/{len(alone)} equal to alone", "all", equal == len(alone), closing=False)

"""The same seed gives the same bytes: fifty prompts, greedy and sampled, alone, beside one and beside seven others."""

from pathlib import Path

from bars.bar import Bar
from support.prompts import fifty_prompts
from support.same_bytes import answers, differing, greedy_and_sampled
from support.server import Server


def run(server_bin: Path, model: Path) -> list[Bar]:
    questions = greedy_and_sampled(fifty_prompts())
    with Server.start("--lanes", "8", "--context", "2048", model=model, runtime="llamacpp") as server:
        alone = answers(server, questions, at_once=1)
        return [
            bar(f"same bytes beside {at_once - 1}", alone, answers(server, questions, at_once)) for at_once in (2, 8)
        ]


def bar(name: str, alone: list[bytes], among_others: list[bytes]) -> Bar:
    equal = len(alone) - len(differing(alone, among_others))
    return Bar(name, f"{equal}/{len(alone)} equal", "all", equal == len(alone))

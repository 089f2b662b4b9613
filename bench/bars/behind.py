"""A short chat behind eight agents: nobody waits behind anybody, and the agents lose little by it."""

import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from bars.bar import Bar
from bars.bare import prompt
from bars.peer import NAME, LlamaServer
from bars.streams import Stream
from bars.tuned import tuned

AGENTS, AGENT_TOKENS = 8, 128
CHATS, CHAT_PROMPT, CHAT_TOKENS, ALONE = 10, 48, 16, 5
EVERY_S = {1400: 1.5, 6000: 15.0}  # by the agents' prompts: chats come while these are read, and while agents answer
WINDOW = 8192
OWN_PREFILL_MS, PAUSE_S, AGENTS_SHARE = 350, 5.0, 1.1


def run(server_bin: Path, model: Path) -> list[Bar]:
    return [bar for tokens in EVERY_S for bar in behind(server_bin, model, tokens)]


def behind(server_bin: Path, model: Path, tokens: int) -> list[Bar]:
    plain, interactive = ours(model, tokens, {}), ours(model, tokens, {"X-Sluice-Class": "interactive"})
    with LlamaServer(server_bin, model, AGENTS, WINDOW) as port:
        peer = Crowd(port, tokens, {})
    return [
        plain.chat_bar(f"chat behind {AGENTS} agents of {tokens} tokens"),
        interactive.chat_bar(f"the same, class interactive, {tokens} tokens"),
        agents_bar([plain, interactive], peer, tokens),
        pause_bar([plain, interactive], tokens),
    ]


def ours(model: Path, tokens: int, headers: dict[str, str]) -> "Crowd":
    with tuned(model, AGENTS, WINDOW) as server:
        return Crowd(server.port, tokens, headers)


class Crowd:
    """Eight agents, and ten chats one after the other while they run."""

    def __init__(self, port: int, tokens: int, headers: dict[str, str]):
        draw = random.Random(5)
        ask = lambda: Stream(port, prompt(draw, CHAT_PROMPT), CHAT_TOKENS, headers).start().join()
        self.own_ms = statistics.median(ask().first_ms for _ in range(ALONE))
        begun = time.monotonic()
        self.agents = [Stream(port, prompt(draw, tokens), AGENT_TOKENS).start() for _ in range(AGENTS)]
        self.chats, self.behind, self.beside_answers = [], 0, 0
        for _ in range(CHATS):
            time.sleep(EVERY_S[tokens])
            self.behind += any(agent.is_running() for agent in self.agents)
            self.beside_answers += any(agent.is_running() and agent.times for agent in self.agents)
            self.chats.append(ask())
        for agent in self.agents:
            agent.join()
        self.seconds = max(agent.times[-1] for agent in self.agents) - begun
        self.pause_s = max(max(agent.gaps()) for agent in self.agents)

    def chat_bar(self, name: str) -> Bar:
        """All ten are asked while agents run."""
        late = [chat.first_ms - self.own_ms for chat in self.chats]
        held = sum(ms <= OWN_PREFILL_MS for ms in late)
        asked = f"{self.behind} behind agents, {self.beside_answers} beside their answers"
        figure = f"{held}/{CHATS}, own {self.own_ms:.0f} ms + {max(late):.0f} at most; {asked}"
        return Bar(name, figure, f"own + {OWN_PREFILL_MS} ms", held == CHATS and self.behind == CHATS)


def agents_bar(mine: Sequence[Crowd], peer: Crowd, tokens: int) -> Bar:
    share = max(crowd.seconds for crowd in mine) / peer.seconds
    figure = f"{share:.2f} x {NAME} ({peer.seconds:.0f} s)"
    return Bar(f"the agents' time, {tokens} tokens", figure, f"<= {AGENTS_SHARE}", share <= AGENTS_SHARE)


def pause_bar(mine: Sequence[Crowd], tokens: int) -> Bar:
    longest = max(crowd.pause_s for crowd in mine)
    return Bar(f"longest pause of an agent, {tokens} tokens", f"{longest:.1f} s", f"<= {PAUSE_S:g} s", longest <= PAUSE_S)

"""Nobody waits behind anybody: a short chat behind eight agents, running streams while a long prompt arrives, and two
keys of which one has a queue."""

import json
import random
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

from bars.bar import Bar
from bars.bare import prompt
from support.server import Server

AGENTS, CHATS = 8, 10
AGENT_PROMPTS = (1400, 6000)
AGENT_TOKENS, CHAT_PROMPT, CHAT_TOKENS = 128, 48, 16
OWN_PREFILL_MS, PAUSE_S, AGENTS_SHARE = 350, 5.0, 1.1
LONG_PROMPT, STREAMS = 6000, 4
STREAM_GAPS, STREAM_MS = 2, 250
CONTEXT = 8192
QUEUED, EVERY_S, ASKED, FIRST_MS, SHARE = 50, 2.0, 8, 600, 0.45


@dataclass
class Stream:
    """One streamed answer, read by a thread of its own."""

    port: int
    ids: list[int]
    tokens: int
    headers: dict[str, str] = field(default_factory=dict)
    sent: float = 0.0
    times: list[float] = field(default_factory=list)  # of each event with a token
    status: int = 0

    def __post_init__(self):
        self.thread = threading.Thread(target=self._read)

    def start(self) -> "Stream":
        self.thread.start()
        return self

    def join(self) -> "Stream":
        self.thread.join(1800)
        assert self.status == 200 and self.times, f"no answer: {self.status}"
        return self

    def _read(self) -> None:
        body = {"prompt": self.ids, "max_tokens": self.tokens, "ignore_eos": True, "stream": True, "cache_prompt": True}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=1800)
        self.sent = time.monotonic()
        connection.request(
            "POST", "/v1/completions", json.dumps(body), {"Content-Type": "application/json", **self.headers}
        )
        reply = connection.getresponse()
        self.status = reply.status
        for line in reply:
            if line.startswith(b"data: {"):
                self.times.append(time.monotonic())

    @property
    def first_ms(self) -> float:
        return (self.times[0] - self.sent) * 1000

    def gaps(self, since: float = 0.0) -> list[float]:
        return [after - before for before, after in zip(self.times, self.times[1:]) if after > since]


class LlamaServer:
    """The peer with its defaults, as `with` value its port."""

    def __init__(self, server_bin: Path, model: Path, lanes: int):
        words = ["-m", model, "--port", "0", "-np", str(lanes), "-c", str(lanes * CONTEXT)]
        self.process = subprocess.Popen(
            [server_bin / "llama-server", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def __enter__(self) -> int:
        for line in self.process.stderr:
            if "server is listening on" in line:
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return int(line.rsplit(":", 1)[1].split()[0].strip("/"))
        self.process.kill()
        raise RuntimeError("llama-server did not start")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(60)


def run(server_bin: Path, model: Path) -> list[Bar]:
    bars = []
    for tokens in AGENT_PROMPTS:
        bars += behind_agents(server_bin, model, tokens)
    return [*bars, arriving_prompt(model), *two_keys(model)]


def behind_agents(server_bin: Path, model: Path, tokens: int) -> list[Bar]:
    with serve(model) as server:
        plain = Behind(server.port, tokens, {})
    with serve(model) as server:
        named = Behind(server.port, tokens, {"X-Sluice-Class": "interactive"})
    with LlamaServer(server_bin, model, AGENTS) as port:
        peer = Behind(port, tokens, {})
    share = plain.total / peer.total
    return [
        plain.chat_bar(f"chat behind {AGENTS} agents of {tokens} tokens"),
        named.chat_bar(f"the same, class interactive, {tokens} tokens"),
        Bar(f"the agents' time, {tokens} tokens", f"{share:.2f} x llama-server", f"<= {AGENTS_SHARE}", share <= AGENTS_SHARE),
        plain.pause_bar(f"longest pause of an agent, {tokens} tokens"),
    ]  # fmt: skip


def serve(model: Path) -> Server:
    return Server.start("--lanes", str(AGENTS), "--context", str(CONTEXT), model=model, runtime="llamacpp")


class Behind:
    """Eight agents, and ten chats one after the other while they run."""

    def __init__(self, port: int, agent_prompt: int, headers: dict[str, str]):
        draw = random.Random(5)
        ask = lambda: Stream(port, prompt(draw, CHAT_PROMPT), CHAT_TOKENS, headers).start().join()
        self.own_ms = statistics.median(ask().first_ms for _ in range(5))
        begun = time.monotonic()
        self.agents = [Stream(port, prompt(draw, agent_prompt), AGENT_TOKENS).start() for _ in range(AGENTS)]
        self.chats, behind = [], 0
        for _ in range(CHATS):
            time.sleep(1.0)
            self.chats.append(ask())
            behind += any(agent.thread.is_alive() for agent in self.agents)
        for agent in self.agents:
            agent.join()
        self.total = time.monotonic() - begun
        self.behind = behind

    def chat_bar(self, name: str) -> Bar:
        """All ten must have been asked while agents ran."""
        late = [chat.first_ms - self.own_ms for chat in self.chats]
        held = sum(ms <= OWN_PREFILL_MS for ms in late)
        figure = f"{held}/{CHATS}, own {self.own_ms:.0f} ms + {max(late):.0f} at most, {self.behind} behind agents"
        return Bar(name, figure, f"own + {OWN_PREFILL_MS} ms", held == CHATS and self.behind >= CHATS - 1)

    def pause_bar(self, name: str) -> Bar:
        longest = max(max(agent.gaps()) for agent in self.agents)
        return Bar(name, f"{longest:.1f} s", f"<= {PAUSE_S:g} s", longest <= PAUSE_S)


def arriving_prompt(model: Path) -> Bar:
    draw = random.Random(6)
    with serve(model) as server:
        streams = [Stream(server.port, prompt(draw), 1500).start() for _ in range(STREAMS)]
        time.sleep(10)
        quiet = [gap for stream in streams for gap in stream.gaps()]
        arrived = time.monotonic()
        Stream(server.port, prompt(draw, LONG_PROMPT), 1).start().join()
        pauses = [gap for stream in streams for gap in stream.gaps(since=arrived)]
    p99 = statistics.quantiles(quiet, n=100)[98]
    bound = STREAM_GAPS * p99 + STREAM_MS / 1000
    figure = f"{max(pauses) * 1000:.0f} ms, p99 gap {p99 * 1000:.0f} ms"
    return Bar("longest pause while 6k tokens arrive", figure, f"<= {bound * 1000:.0f} ms", max(pauses) <= bound)


def two_keys(model: Path) -> list[Bar]:
    """One key has fifty requests queued; the other asks every two seconds, then has as many."""
    draw = random.Random(8)
    keys = ("--api-key", "one", "--api-key", "two")
    with Server.start(
        "--lanes", str(AGENTS), "--context", "1024", *keys, model=model, runtime="llamacpp", key="one"
    ) as server:
        ask = lambda key, tokens: Stream(server.port, prompt(draw), tokens, {"Authorization": f"Bearer {key}"}).start()
        own_ms = statistics.median(ask("two", 1).join().first_ms for _ in range(5))
        many = [ask("one", 128) for _ in range(QUEUED)]
        time.sleep(EVERY_S)
        late = []
        for _ in range(ASKED):
            late.append(ask("two", 1).join().first_ms - own_ms)
            time.sleep(EVERY_S)
        also_many = [ask("two", 128) for _ in range(QUEUED)]
        begun = time.monotonic() + 1
        time.sleep(20)
        until = time.monotonic()
        still = [sum(stream.thread.is_alive() for stream in streams) for streams in (many, also_many)]
        said = [
            sum(begun < at < until for stream in streams for at in list(stream.times)) for streams in (many, also_many)
        ]
        server.kill()
    share = min(said) / sum(said)
    held = f"{share:.0%} of the tokens, {still[0]} and {still[1]} still asked"
    worst = f"own {own_ms:.0f} ms + {max(late):.0f} at most, {ASKED} times"
    return [
        Bar("a second key's first token", worst, f"own + {FIRST_MS} ms", max(late) <= FIRST_MS),
        Bar("two keys with work", held, f">= {SHARE:.0%} each", share >= SHARE and min(still) > AGENTS),
    ]

"""A server of OpenAI's API that says what its script says, when the script says it, and keeps what it really did: the
truth that a measuring tool is held against. Streams only. As a program it serves one script until it is ended."""

import asyncio
import json
import sys
import threading
import time
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self


@dataclass(frozen=True)
class Script:
    first_ms: float = 5.0  # from the request's last byte to the first token
    gap_ms: float = 1.0  # between tokens
    per_prompt_byte_ms: float = 0.0  # added to the first token's time
    tokens: int | None = None  # in place of max_tokens
    text: str = "word "
    prompt_tokens: int = 20
    cached: int | None = 0  # None: it does not say
    usage: bool = True
    over_reported: int = 0  # added to usage's completion_tokens
    done: bool = True
    finish: bool = True
    half_chunks: bool = False  # each event in two writes, cut in mid-event and in mid-chunk
    together: int = 1  # tokens of one event
    draft: bool = False  # it says that it drafts
    status: int = 200
    error_after: int | None = None  # tokens; then an error event
    garbage_after: int | None = None  # tokens; then an event that is not JSON
    cut_after: int | None = None  # tokens; then the connection closes in the middle of a chunk
    lanes: int | None = None  # that many requests are answered at once, others wait


@dataclass
class Served:
    """One request, and when what was done for it. Seconds of time.monotonic()."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    received: float  # when its connection came
    sent: list[float] = field(default_factory=list)  # of each token's event, its last byte
    ended: float = 0.0


class ScriptedApi:
    """Lives in a thread of its own, from `with` to its end. `script` may be replaced between requests."""

    def __init__(self, script: Script = Script(), name: str = "scripted"):
        self.script = script
        self.name = name
        self.served: list[Served] = []
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self.open(0))
        self._ready.set()
        self._loop.run_forever()

    async def open(self, port: int) -> asyncio.Server:
        self._lanes = asyncio.Semaphore(self.script.lanes or 1 << 30)
        server = await asyncio.start_server(self._on_client, "127.0.0.1", port, backlog=4096)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _on_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came = time.monotonic()
        try:
            await self._serve(reader, writer, came)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client left
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, came: float) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        request, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        data = await reader.readexactly(int(headers.get("content-length", 0)))
        path = request.split(" ")[1]
        if path in ("/health", "/metrics"):
            return await answer(writer, 200, b"{}")
        if path == "/v1/models":
            return await answer(writer, 200, json.dumps({"data": [{"id": self.name}]}).encode())
        served = Served(path, json.loads(data), headers, came)
        self.served.append(served)
        script = self.script
        if script.status != 200:
            return await answer(writer, script.status, b'{"error":{"message":"no"}}')
        async with self._lanes:
            await Stream(script, served, writer).run(data)


async def answer(writer: asyncio.StreamWriter, status: int, body: bytes) -> None:
    writer.write(b"HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body))
    await writer.drain()


class Stream:
    def __init__(self, script: Script, served: Served, writer: asyncio.StreamWriter):
        self.script, self.served, self.writer = script, served, writer
        self.chat = served.path.endswith("/chat/completions")
        asked = served.body["max_tokens"]
        self.tokens = asked if script.tokens is None else script.tokens

    async def run(self, data: bytes) -> None:
        script = self.script
        self.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        due = time.monotonic() + (script.first_ms + script.per_prompt_byte_ms * len(data)) / 1000
        for token in range(0, self.tokens, script.together):
            await until(due)
            if token == script.error_after:
                return await self.end(error=True)
            if token == script.garbage_after:
                await self.event("{nonsense")
            if token == script.cut_after:
                self.writer.write(b"400\r\ndata: {")
                return await self.writer.drain()
            await self.event(self.piece(min(script.together, self.tokens - token)))
            self.served.sent.append(time.monotonic())
            due += script.gap_ms * script.together / 1000
        await self.end()

    def piece(self, tokens: int) -> str:
        text = self.script.text * tokens
        part = {"delta": {"content": text}} if self.chat else {"text": text}
        return json.dumps({"choices": [{"index": 0, "finish_reason": None, **part}]})

    async def end(self, error: bool = False) -> None:
        script = self.script
        if error:
            await self.event(json.dumps({"error": {"message": "the model fell over"}}))
        if script.finish and not error:
            await self.event(json.dumps({"choices": [{"delta": {}, "text": "", "finish_reason": "length"}]}))
        if script.usage and not error:
            await self.event(json.dumps({"choices": [], "usage": self.usage(), **self.timings()}))
        if script.done:
            await self.event("[DONE]")
        self.served.ended = time.monotonic()
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    def usage(self) -> dict[str, Any]:
        usage: dict[str, Any] = {
            "prompt_tokens": self.script.prompt_tokens,
            "completion_tokens": self.tokens + self.script.over_reported,
        }
        if self.script.cached is not None:
            usage["prompt_tokens_details"] = {"cached_tokens": self.script.cached}
        return usage

    def timings(self) -> dict[str, Any]:
        return {"timings": {"draft_n": self.tokens, "draft_n_accepted": self.tokens}} if self.script.draft else {}

    async def event(self, data: str) -> None:
        body = f"data: {data}\n\n".encode()
        chunk = b"%x\r\n%b\r\n" % (len(body), body)
        if self.script.half_chunks:
            half = len(chunk) // 2
            self.writer.write(chunk[:half])
            await self.writer.drain()
            await asyncio.sleep(0)  # another packet
            chunk = chunk[half:]
        self.writer.write(chunk)
        await self.writer.drain()


async def until(due: float) -> None:
    while (left := due - time.monotonic()) > 0:
        await asyncio.sleep(left)


def script_from(words: list[str]) -> Script:
    kinds = {f.name: str(f.type) for f in fields(Script)}
    changes = {name: value if kinds[name] == "str" else json.loads(value) for name, value in (w.split("=") for w in words)}
    return replace(Script(), **changes)


async def main(port: int, script: Script) -> None:
    async with await ScriptedApi(script).open(port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), script_from(sys.argv[2:])))

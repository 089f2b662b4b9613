"""Asks one server for a streamed and a plain chat completion, and for both as raw completions where it has such; says what it reports.

smoke_requests.py URL MODEL
"""

import json
import sys
import urllib.error
import urllib.request
from typing import Any

TOKENS = 16
Message = dict[str, Any]


def post(url: str, body: Message) -> list[bytes]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as response:
        return response.readlines()


def text_of(message: Message) -> str:
    parts = [choice.get("delta") or choice.get("message") or choice for choice in message.get("choices", [])]
    return "".join(part.get("content") or part.get("text") or "" for part in parts)


def reported(usage: Message | None) -> str:
    if not usage:
        return "no usage"
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens", "not reported")
    return f"{usage['prompt_tokens']} + {usage['completion_tokens']} tokens, cached {cached}"


def streamed(url: str, body: Message) -> str:
    lines = post(url, body | {"stream": True, "stream_options": {"include_usage": True}})
    data = [line[6:].strip() for line in lines if line.startswith(b"data: ")]
    messages = [json.loads(line) for line in data if line != b"[DONE]"]
    with_text = sum(bool(text_of(message)) for message in messages)
    if not with_text:
        raise ValueError("a stream without text")
    if data[-1] != b"[DONE]":
        raise ValueError("a stream without [DONE]")
    usages = [message["usage"] for message in messages if message.get("usage")]
    return f"stream: {with_text} events with text, {reported(usages[-1] if usages else None)}"


def plain(url: str, body: Message) -> str:
    answer = json.loads(b"".join(post(url, body)))
    if not text_of(answer):
        raise ValueError("an answer without text")
    return f"plain: {reported(answer.get('usage'))}"


def main() -> None:
    url, model = sys.argv[1:]
    common = {"model": model, "max_tokens": TOKENS, "temperature": 0}
    question = {"role": "user", "content": "Explain how a hash table works."}
    asked = {
        "chat": ("/v1/chat/completions", common | {"messages": [question]}),
        "raw": ("/v1/completions", common | {"prompt": "def fibonacci(n):\n"}),
    }
    try:
        said = [f"{name} {ask(url + path, body)}" for name, (path, body) in asked.items() for ask in (streamed, plain)]
    except (OSError, ValueError) as failure:
        reason = failure.read().decode()[:200] if isinstance(failure, urllib.error.HTTPError) else ""
        sys.exit(f"{failure} {reason}".strip())
    print("; ".join(said))


if __name__ == "__main__":
    main()

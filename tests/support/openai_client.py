"""Short forms for the calls that the scripts with OpenAI's client make again and again."""

from typing import Any

import openai

from support.server import Server

# No retries: a test wants to see the first answer.
TIMEOUT_SECONDS = 240.0


def client_of(server: Server, key: str | None = None) -> openai.OpenAI:
    return openai.OpenAI(**_arguments(server, key))


def async_client_of(server: Server, key: str | None = None) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(**_arguments(server, key))


def _arguments(server: Server, key: str | None) -> dict[str, Any]:
    given = key or server.key or "no key needed"
    return {"base_url": f"{server.url}/v1", "api_key": given, "max_retries": 0, "timeout": TIMEOUT_SECONDS}


def question(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def chat(client: openai.OpenAI, model: str, **fields: Any) -> Any:
    """A chat completion, greedy and short of surprises where `fields` do not say otherwise."""
    return client.chat.completions.create(
        **{"model": model, "messages": question("Say something nice."), "temperature": 0, **fields}
    )


def complete(client: openai.OpenAI, model: str, **fields: Any) -> Any:
    return client.completions.create(**{"model": model, "prompt": "Once upon a time", "temperature": 0, **fields})


def streamed_text(stream: Any, choice: int = 0) -> str:
    parts = [part for chunk in stream for part in chunk.choices if part.index == choice]
    return "".join(part.delta.content or "" if hasattr(part, "delta") else part.text for part in parts)

"""Requests whose JSON is well formed and whose fields are not: each is refused with 400, OpenAI's envelope and the
field's name, and the server answers the next one."""

from typing import Any

import pytest

CHAT = "/v1/chat/completions"
TEXT = "/v1/completions"
ABSENT = object()

# Changes to a request that works (ABSENT: the field is left out), and the field that the error names.
CHAT_ROWS: list[tuple[dict[str, Any], str]] = [
    ({"messages": ABSENT}, "messages"),
    ({"messages": []}, "messages"),
    ({"messages": "hello"}, "messages"),
    ({"messages": {"role": "user"}}, "messages"),
    ({"messages": ["hello"]}, "messages[0]"),
    ({"messages": [{"content": "hello"}]}, "messages[0].role"),
    ({"messages": [{"role": 7, "content": "hello"}]}, "messages[0].role"),
    ({"messages": [{"role": "user", "content": 7}]}, "messages[0].content"),
    (
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
        "messages[0].content",
    ),
    ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content"),
    ({"messages": [{"role": "user", "content": "a"}, 3]}, "messages[1]"),
    ({"messages": [{"role": "user", "content": "a"}] * 5000}, "messages"),
    ({"model": 7}, "model"),
    ({"model": ["a"]}, "model"),
    ({"temperature": "hot"}, "temperature"),
    ({"temperature": -0.1}, "temperature"),
    ({"temperature": 1e30}, "temperature"),
    ({"temperature": True}, "temperature"),
    ({"top_p": 1.1}, "top_p"),
    ({"top_p": -1}, "top_p"),
    ({"top_p": [0.5]}, "top_p"),
    ({"top_k": 1.5}, "top_k"),
    ({"top_k": -7}, "top_k"),
    ({"top_k": 10**12}, "top_k"),
    ({"min_p": 2}, "min_p"),
    ({"seed": "1"}, "seed"),
    ({"seed": 0.5}, "seed"),
    ({"seed": 10**30}, "seed"),
    ({"max_tokens": 0}, "max_tokens"),
    ({"max_tokens": -1}, "max_tokens"),
    ({"max_tokens": 2.5}, "max_tokens"),
    ({"max_tokens": 10**15}, "max_tokens"),
    ({"max_completion_tokens": "5"}, "max_completion_tokens"),
    ({"n": 0}, "n"),
    ({"n": 17}, "n"),
    ({"n": "2"}, "n"),
    ({"stream": "yes"}, "stream"),
    ({"stream": 1}, "stream"),
    ({"stream": True, "stream_options": []}, "stream_options"),
    ({"stream": True, "stream_options": {"include_usage": "yes"}}, "stream_options.include_usage"),
    ({"stop": 5}, "stop"),
    ({"stop": ["a", 5]}, "stop"),
    ({"stop": [""]}, "stop"),
    ({"stop": ["x"] * 17}, "stop"),
    ({"stop": "x" * 2000}, "stop"),
    ({"presence_penalty": 3}, "presence_penalty"),
    ({"frequency_penalty": -3}, "frequency_penalty"),
    ({"repeat_penalty": -1}, "repeat_penalty"),
    ({"logit_bias": [1, 2]}, "logit_bias"),
    ({"logit_bias": {"ten": 1}}, "logit_bias"),
    ({"logit_bias": {"10": 101}}, "logit_bias"),
    ({"logit_bias": {"10": "up"}}, "logit_bias"),
    ({"logit_bias": {"99999999": 1}}, "logit_bias"),
    ({"logit_bias": {"-1": 1}}, "logit_bias"),
    ({"logprobs": 5}, "logprobs"),
    ({"logprobs": True, "top_logprobs": 21}, "top_logprobs"),
    ({"logprobs": True, "top_logprobs": -1}, "top_logprobs"),
    ({"top_logprobs": 2}, "top_logprobs"),
    ({"ignore_eos": "no"}, "ignore_eos"),
]

TEXT_ROWS: list[tuple[dict[str, Any], str]] = [
    ({"prompt": ABSENT}, "prompt"),
    ({"prompt": []}, "prompt"),
    ({"prompt": 7}, "prompt"),
    ({"prompt": {"text": "a"}}, "prompt"),
    ({"prompt": ["a", 7]}, "prompt"),
    ({"prompt": [1, "a"]}, "prompt"),
    ({"prompt": [[]]}, "prompt"),
    ({"prompt": [1.5]}, "prompt"),
    ({"prompt": [-1]}, "prompt"),
    ({"prompt": [99999999]}, "prompt"),
    ({"prompt": [2**40]}, "prompt"),
    ({"prompt": ["a"] * 17}, "prompt"),
    ({"prompt": ["a"] * 9, "n": 2}, "n"),
    ({"logprobs": 21}, "logprobs"),
    ({"logprobs": True}, "logprobs"),
    ({"echo": "yes"}, "echo"),
    ({"echo": True}, "echo"),
    ({"suffix": "after"}, "suffix"),
    ({"best_of": 2}, "best_of"),
    ({"max_tokens": "16"}, "max_tokens"),
]


def label(row: tuple[dict[str, Any], str]) -> str:
    return ",".join(f"{name}={'absent' if value is ABSENT else repr(value)[:40]}" for name, value in row[0].items())


def with_changes(request: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**request, **changes}.items() if value is not ABSENT}


def expect_refusal(reply, field: str) -> None:
    assert reply.status == 400, f"{reply.status} {reply.body[:300]!r}"
    assert reply.headers["Content-Type"].startswith("application/json")
    assert reply.error["type"] == "invalid_request_error"
    assert reply.error["param"].startswith(field), reply.error
    assert reply.error["message"]
    assert "code" in reply.error


@pytest.mark.parametrize("row", CHAT_ROWS, ids=label)
def test_chat_refuses(server, model_id, row):
    works = {"model": model_id, "messages": [{"role": "user", "content": "hello"}], "max_tokens": 1}
    expect_refusal(server.post(CHAT, with_changes(works, row[0])), row[1])
    assert server.post(CHAT, works).status == 200


@pytest.mark.parametrize("row", TEXT_ROWS, ids=label)
def test_completions_refuses(server, model_id, row):
    works = {"model": model_id, "prompt": "hello", "max_tokens": 1}
    expect_refusal(server.post(TEXT, with_changes(works, row[0])), row[1])
    assert server.post(TEXT, works).status == 200

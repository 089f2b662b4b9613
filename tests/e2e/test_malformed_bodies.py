"""Bodies that are not the JSON a route wants: refused with a typed 4xx, and the server answers the next request."""

import json

import pytest

CHAT = "/v1/chat/completions"
WORKS = b'{"messages":[{"role":"user","content":"hello"}],"max_tokens":1}'


def with_field(name: str, raw: bytes) -> bytes:
    """A request that works but for one field, written as it comes: numbers that no JSON library would write."""
    return WORKS[:-1] + b',"' + name.encode() + b'":' + raw + b"}"


BAD_REQUESTS = {
    "nothing": b"",
    "a space": b" ",
    "half an object": b'{"messages": [',
    "no quotes": b"{messages: []}",
    "a comma too much": b'{"messages": [],}',
    "a number": b"7",
    "an array": b"[]",
    "a string": b'"hello"',
    "null": b"null",
    "two objects": WORKS + WORKS,
    "bytes that are no UTF-8": with_field("user", b'"\xff\xfe"'),
    "half a character": with_field("user", b'"\xe2\x98"'),
    "an overlong character": with_field("user", b'"\xc0\xaf"'),
    "a surrogate alone": with_field("user", b'"\\ud800"'),
    "a control character in a string": with_field("user", b'"a\nb"'),
    "a zero byte": b"\x00" * 16,
    "NaN": with_field("temperature", b"NaN"),
    "Infinity": with_field("temperature", b"Infinity"),
    "minus Infinity": with_field("temperature", b"-Infinity"),
    "a number beyond any double": with_field("temperature", b"1e999"),
    "a number with leading zeros": with_field("temperature", b"00.5"),
    "depth 100": with_field("deep", b"[" * 100 + b"]" * 100),
    "depth 100,000": with_field("deep", b"[" * 100_000),
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
}


def expect_served(server) -> None:
    assert server.post(CHAT, WORKS).status == 200


@pytest.mark.parametrize("body", BAD_REQUESTS.values(), ids=BAD_REQUESTS.keys())
def test_is_a_bad_request(server, body):
    reply = server.post(CHAT, body)
    assert reply.status == 400, reply.body[:300]
    assert reply.error["type"] == "invalid_request_error"
    assert reply.error["message"]
    expect_served(server)


def test_a_body_over_the_limit_is_refused_unread(server):
    with server.connect() as connection:
        connection.send(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{")
        reply = connection.read_reply("POST")
    assert reply.status == 413
    assert reply.error["type"] == "invalid_request_error"
    expect_served(server)


def test_a_body_that_turns_out_over_the_limit_is_refused(server):
    with server.connect() as connection:
        connection.send(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        status = send_chunks_until_refused(connection)
    assert status == 413
    expect_served(server)


def send_chunks_until_refused(connection) -> int:
    piece = b"x" * (1 << 20)
    try:
        for _ in range(40):
            connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    except OSError:
        pass  # the server closed while we sent: its answer is there to be read
    return connection.read_head("POST").status


def test_any_content_type_is_read_as_json(server):
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"):
        assert server.post(CHAT, WORKS, {"Content-Type": content_type}).status == 200


def test_an_escaped_string_is_read(server):
    body = b'{"messages":[{"role":"user","content":"\\u2603 \\ud83d\\ude00 \\\\ \\n"}],"max_tokens":1}'
    assert server.post(CHAT, body).status == 200


def test_a_field_given_twice_is_not_a_crash(server):
    assert server.post(CHAT, with_field("max_tokens", b"2")).status in (200, 400)
    expect_served(server)


def test_null_means_absent(server):
    fields = ("temperature", "top_p", "seed", "stop", "n", "logit_bias", "stream_options", "logprobs", "model")
    body = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 1, **dict.fromkeys(fields)}
    assert server.post(CHAT, json.dumps(body).encode()).status == 200

"""Bytes that are not the HTTP a route wants: each gets a typed answer or a closed connection, and the server lives."""

import http.client

import pytest

CHAT = "/v1/chat/completions"
WORKS = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 1}


def answer_to(server, sent: bytes) -> int | None:
    """The status of the answer; None where the connection was closed without one."""
    with server.connect() as connection:
        try:
            connection.send(sent)
            return connection.read_head().status
        except (http.client.BadStatusLine, ConnectionError):
            return None


def expect_served(server) -> None:
    assert server.post(CHAT, WORKS).status == 200


NOT_HTTP = {
    "garbage": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    "a line of words": b"hello how are you\r\n\r\n",
    "HTTP/2's preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "no version": b"GET /health\r\n\r\n",
    "a version to come": b"GET /health HTTP/9.9\r\nHost: x\r\n\r\n",
    "a header without a colon": b"GET /health HTTP/1.1\r\nHost x\r\n\r\n",
    "a space in a header's name": b"GET /health HTTP/1.1\r\nHo st : x\r\n\r\n",
    "a length that is no number": b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
    "a negative length": b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    "two lengths": b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a chunk size that is no number": b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
    b"\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a chunk longer than it says": b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
    b"\r\n1\r\n{}\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("sent", NOT_HTTP.values(), ids=NOT_HTTP.keys())
def test_is_refused(server, sent):
    status = answer_to(server, sent)
    assert status is None or 400 <= status < 500 or status == 505 or status == 505
    expect_served(server)


def test_half_a_request_and_gone_is_forgotten(server):
    halves = (
        b"",
        b"GE",
        b"GET /health HTTP/1.1\r\n",
        b"POST /v1/completions HTTP/1.1\r\nHost: x\r\n",
        b'POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"prompt":',
    )
    for half in halves:
        with server.connect() as connection:
            connection.send(half)
    expect_served(server)


def test_headers_over_the_limit_are_refused(server):
    long = b"GET /health HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 200_000 + b"\r\n\r\n"
    assert answer_to(server, long) in (431, None)
    expect_served(server)


def test_headers_over_the_limit_that_fit_a_packet_get_431(server):
    many = b"".join(b"X-%d: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" % number for number in range(1400))
    assert answer_to(server, b"GET /health HTTP/1.1\r\nHost: x\r\n" + many + b"\r\n") == 431
    expect_served(server)


def test_a_route_asked_by_the_wrong_method_is_405_and_names_the_right_one(server):
    for method, path, right in (
        ("GET", CHAT, "POST"),
        ("DELETE", "/v1/models", "GET"),
        ("POST", "/health", "GET"),
        ("PUT", "/v1/completions", "POST"),
    ):
        reply = server.request(method, path, b"{}")
        assert reply.status == 405, (method, path)
        assert right in reply.headers["Allow"]
        assert reply.error["type"] == "invalid_request_error"


def test_an_unknown_method_is_4xx(server):
    with server.connect() as connection:
        assert 400 <= connection.request("BREW", "/health").status < 500
    expect_served(server)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v1",
        "/v1/chat",
        "/v2/chat/completions",
        "/v1/chat/completions/more",
        "/%00",
        "/../../etc/passwd",
        "/v1//models",
        "/" + "a" * 5000,
    ],
)
def test_an_unknown_route_is_404_with_the_envelope(server, path):
    reply = server.get(path)
    assert reply.status in (404, 400)
    assert reply.error["message"]
    expect_served(server)


def test_a_query_does_not_change_the_route(server):
    assert server.get("/v1/models?limit=5&x=%ff").status == 200


def test_head_answers_without_a_body(server):
    with server.connect() as connection:
        reply = connection.request("HEAD", "/health")
    assert reply.status == 200
    assert reply.body == b""


def test_pipelined_requests_are_answered_in_order(server):
    with server.connect() as connection:
        connection.send(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
        reader = connection.socket.makefile("rb")
        assert reader.readline().split()[1] == b"200"
        rest = b""
        while b"404" not in rest:
            line = reader.readline()
            assert line, "the second request was not answered"
            rest += line


def test_a_connection_serves_many_requests(server):
    with server.connect() as connection:
        for _ in range(5):
            assert connection.request("POST", CHAT, WORKS).status == 200


def test_http_1_0_gets_a_whole_answer_and_a_closed_connection(server):
    with server.connect() as connection:
        connection.send(b"GET /health HTTP/1.0\r\n\r\n")
        answer = connection.read_until_closed()
    assert answer.startswith(b"HTTP/1.") and b" 200 " in answer.split(b"\r\n")[0]


def test_expect_continue_is_honoured(server):
    with server.connect() as connection:
        connection.send(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        )
        assert connection.socket.recv(64).startswith((b"HTTP/1.1 100", b"HTTP/1.1 4"))

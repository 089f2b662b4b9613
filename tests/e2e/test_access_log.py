"""One line a request on stderr, and an id that ties it to what the client saw."""

import re

import pytest

from support.fake import fake_model
from support.server import Server
from support.streams import OpenStream

REQUEST = {"prompt": [10] * 20, "max_tokens": 5, "ignore_eos": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    model = fake_model(tmp_path_factory.mktemp("model"))
    with Server.start("--name", "m", model=model, runtime="fake") as started:
        yield started


def line_of(server, request_id: str) -> dict[str, str]:
    """The fields of the one line about this request."""
    line = server.stderr.wait_for(rf".*{re.escape(request_id)}.*")[0]
    assert len(server.stderr.matching(re.escape(request_id))) == 1
    return {name: quoted or bare for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line)}


def test_a_served_request_is_one_line(server):
    server.post("/v1/completions", REQUEST, {"X-Request-Id": "served-1"})
    fields = line_of(server, "served-1")
    assert fields["status"] == "200"
    assert fields["method"] == "POST"
    assert fields["route"] == "/v1/completions"
    assert fields["model"] == "m"
    assert fields["finish"] == "length"
    assert (fields["prompt_tokens"], fields["completion_tokens"]) == ("20", "5")
    assert "cached_tokens" in fields


def test_it_tells_where_the_time_went(server):
    server.post("/v1/completions", REQUEST, {"X-Request-Id": "timed-1"})
    assert {"queue", "first_token", "total"} <= {re.sub("_(ms|us|s)$", "", name) for name in line_of(server, "timed-1")}


def test_a_streamed_request_is_one_line_too(server):
    body = {**REQUEST, "stream": True}
    server.post("/v1/completions", body, {"X-Request-Id": "streamed-1"})
    assert line_of(server, "streamed-1")["completion_tokens"] == "5"


def test_a_refused_request_tells_why(server):
    server.post("/v1/completions", {**REQUEST, "n": 99}, {"X-Request-Id": "refused-1"})
    fields = line_of(server, "refused-1")
    assert fields["status"] == "400"
    assert "completion_tokens" not in fields


def test_an_unknown_route_is_a_line(server):
    server.get("/nowhere", {"X-Request-Id": "lost-1"})
    assert line_of(server, "lost-1")["status"] == "404"


def test_a_request_id_comes_back(server):
    for path in ("/health", "/nowhere", "/v1/models"):
        assert server.get(path, {"X-Request-Id": "mine"}).headers["X-Request-Id"] == "mine"


def test_a_request_id_is_made_where_none_is_sent(server):
    ids = {server.get("/health").headers["X-Request-Id"] for _ in range(5)}
    assert len(ids) == 5 and all(ids)


@pytest.mark.parametrize("sent", ["a b", "x" * 500, "\u00e9", ""], ids=repr)
def test_a_request_id_that_would_spoil_the_log_is_replaced(server, sent):
    with server.connect() as connection:
        connection.send(b"GET /health HTTP/1.1\r\nHost: x\r\nX-Request-Id: " + sent.encode() + b"\r\n\r\n")
        returned = connection.read_reply().headers["X-Request-Id"]
    assert returned and returned != sent


def test_a_stream_carries_its_request_id(server):
    with OpenStream(server) as stream:
        assert stream.response.headers["X-Request-Id"]
    server.wait_until_idle()


def test_a_prompt_is_never_logged(server):
    server.post("/v1/completions", {**REQUEST, "prompt": "zanzibar"}, {"X-Request-Id": "private-1"})
    line_of(server, "private-1")
    assert "zanzibar" not in server.stderr.text()

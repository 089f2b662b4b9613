"""--api-keys FILE: names, classes and limits of keys, and the file read again while answers run."""

import signal

import pytest

from support.fake import fake_model
from support.keys import key_table
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

REQUEST = {"prompt": [10] * 20, "max_tokens": 5, "ignore_eos": True}


@pytest.fixture
def serve(tmp_path):
    """Starts one server with these keys, slow enough that a stream stays open."""
    started = []

    def start(*options: str, **keys) -> Server:
        table = key_table(tmp_path / "keys.toml", **keys)
        model = fake_model(tmp_path, call_us=2000)
        started.append(Server.start("--lanes", "2", "--api-keys", str(table), *options, model=model, runtime="fake"))
        return started[-1]

    yield start
    for server in started:
        assert server.stop() == 0


def ask(server, key: str, headers={}, **fields):
    return server.post("/v1/completions", {**REQUEST, **fields}, {"Authorization": f"Bearer {key}", **headers})


def expect_limit(reply, code: str):
    assert reply.status == 429, reply.body
    assert reply.error["code"] == code
    assert reply.error["type"] == "rate_limit_error"
    assert int(reply.headers["Retry-After"]) >= 1


def test_a_key_is_known_by_its_hash_and_logged_by_its_name(serve):
    server = serve(team={"text": "sesame"})
    assert ask(server, "sesame", {"X-Request-Id": "named-1"}).status == 200
    assert ask(server, "other").status == 401
    server.stderr.wait_for(r"named-1.* class=agent key=team ")
    assert "sesame" not in server.stderr.text()


def test_requests_a_minute(serve):
    server = serve(team={"text": "a", "requests_per_minute": 2}, other={"text": "b"})
    assert [ask(server, "a").status for _ in range(2)] == [200, 200]
    expect_limit(ask(server, "a"), "rate_limit_requests")
    assert ask(server, "b").status == 200


def test_tokens_a_minute(serve):
    server = serve(team={"text": "a", "tokens_per_minute": 25})
    assert ask(server, "a").status == 200  # 20 of the prompt, 5 of the answer
    refused = ask(server, "a")
    expect_limit(refused, "rate_limit_tokens")
    assert int(refused.headers["Retry-After"]) <= 60


def test_answers_at_once_and_a_file_that_is_read_again(serve, tmp_path):
    server = serve(team={"text": "a", "concurrency": 1}, admin={"text": "b"})
    server.key = "b"
    with OpenStream(server, key="a") as stream:
        expect_limit(ask(server, "a"), "concurrency_limit")
        assert server.metrics().value("sluice_generations_live", **{"class": "agent", "key": "team"}) == 1
        key_table(tmp_path / "keys.toml", team={"text": "a", "concurrency": 2}, admin={"text": "b"})
        hang_up(server, "read the keys again: 2")
        assert ask(server, "a").status == 200
        key_table(tmp_path / "keys.toml", admin={"text": "b"})
        hang_up(server, "read the keys again: 1")
        assert ask(server, "a").status == 401
        assert stream.finish_reason() == "length"
    assert server.metrics().value("sluice_refusals_total", code="concurrency_limit") == 1
    eventually(lambda: "team" not in server.get("/metrics").body.decode(), "nothing lives of the key that is gone")


@pytest.fixture
def behind_its_own(tmp_path):
    """A server with one lane that reads 500 tokens a second, and has read enough to know it. 16 answers of the key `a`
    are there, each with a prompt of 2 s; since then that key may use 100 tokens a minute."""
    table = key_table(tmp_path / "keys.toml", team={"text": "a"}, other={"text": "b"})
    model = fake_model(tmp_path, row_us=2000)
    with Server.start("--lanes", "1", "--api-keys", str(table), key="b", model=model, runtime="fake") as server:
        for first in range(4):
            assert ask(server, "a", prompt=[first] * 100, max_tokens=1).status == 200
        with server.connect() as waiting:
            prompts = [[first] * 1000 for first in range(10, 26)]
            fields = {**REQUEST, "prompt": prompts, "max_tokens": 1, "stream": True}
            waiting.send_request("POST", "/v1/completions", fields, {"Authorization": "Bearer a"})
            eventually(lambda: server.health()["waiting"] >= 15, "all but one wait")
            key_table(table, team={"text": "a", "tokens_per_minute": 100}, other={"text": "b"})
            hang_up(server, "read the keys again: 2")
            yield server
        server.wait_until_idle()


def test_a_key_whose_own_queue_is_too_long_is_refused_and_keeps_its_tokens(behind_its_own):
    server, late = behind_its_own, {"prompt": [60] * 1000, "timeout": 8}
    for _ in range(2):  # had the first paid for its prompt, the second would be told rate_limit_tokens
        expect_limit(ask(server, "a", **late), "key_queue_too_long")
    assert server.metrics().value("sluice_refusals_total", code="key_queue_too_long") == 2
    with server.connect() as other:
        other.send_request("POST", "/v1/completions", {**REQUEST, **late}, {"Authorization": "Bearer b"})
        eventually(lambda: the_worker_has_one_of(server, "other"), "the worker takes it of another key")


def the_worker_has_one_of(server, key: str) -> bool:
    told = server.get("/slots").json
    entries = [entry for entry in told["lanes"] + told["waiting"] if entry.get("key") == key]
    return told["worker_told"] and any(entry["state"] != "queued" for entry in entries)


def hang_up(server, told: str):
    since = server.stderr.count()
    server.process.send_signal(signal.SIGHUP)
    server.stderr.wait_for(told, since=since)


def test_a_broken_file_changes_nothing_and_is_told_with_its_line(serve, tmp_path):
    server = serve(team={"text": "a"})
    (tmp_path / "keys.toml").write_text('[[key]]\nname = "team"\nsha256 = 7\n')
    hang_up(server, r"the keys stay as they are: --api-keys: '.*keys.toml' line 3: ")
    assert ask(server, "a").status == 200


def test_a_key_has_a_class_and_a_best_one(serve):
    server = serve(
        batch={"text": "a", "class": "background"},
        desk={"text": "b", "max_class": "completion"},
    )
    assert ask(server, "a").headers["X-Sluice-Class"] == "background"
    assert ask(server, "a", {"X-Sluice-Class": "interactive"}).headers["X-Sluice-Class"] == "interactive"
    assert ask(server, "b", {"X-Sluice-Class": "interactive"}).headers["X-Sluice-Class"] == "completion"


def test_keys_open_an_address_that_others_can_reach(serve):
    assert serve("--host", "0.0.0.0", team={"text": "a"}).host == "0.0.0.0"

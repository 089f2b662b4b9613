"""Keys: what needs one, what does not, and where they come from."""

import pytest

from support.fake import fake_model
from support.server import Server

KEY = "k-12345"
REQUEST = {"prompt": "hello", "max_tokens": 1}
NEEDS_A_KEY = [("POST", "/v1/completions", REQUEST), ("GET", "/v1/models", None), ("GET", "/metrics", None)]


@pytest.fixture(scope="module")
def key_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / "keys"
    path.write_text("first-of-file\n\n  second-of-file  \n")
    return path


@pytest.fixture(scope="module")
def locked(tmp_path_factory, key_file):
    model = fake_model(tmp_path_factory.mktemp("model"))
    with Server.start(
        "--api-key", KEY, "--api-key", "other", "--api-key-file", str(key_file), model=model, runtime="fake"
    ) as server:
        yield server


def with_key(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.mark.parametrize("method, path, body", NEEDS_A_KEY)
def test_without_a_key_it_is_401(locked, method, path, body):
    reply = locked.request(method, path, body)
    assert reply.status == 401
    assert reply.error["code"] == "invalid_api_key"
    assert reply.headers["WWW-Authenticate"]


@pytest.mark.parametrize("header", ["Bearer wrong", "Bearer", "Basic azpr", "Bearer k-1234", "Bearer k-123456", KEY])
def test_a_wrong_key_is_401(locked, header):
    assert locked.post("/v1/completions", REQUEST, {"Authorization": header}).status == 401


@pytest.mark.parametrize("key", [KEY, "other", "first-of-file", "second-of-file"])
def test_each_key_opens(locked, key):
    for method, path, body in NEEDS_A_KEY:
        assert locked.request(method, path, body, with_key(key)).status == 200


def test_health_needs_none_and_tells_little_without(locked):
    assert locked.get("/health").json == {"status": "ok"}
    assert "lanes" in locked.get("/health", with_key(KEY)).json


def test_a_refused_request_is_logged_without_its_key(locked):
    since = locked.stderr.count()
    locked.post("/v1/completions", REQUEST, with_key("secret-of-somebody"))
    locked.stderr.wait_for("status=401", since)
    assert "secret-of-somebody" not in locked.stderr.text()


def test_metrics_open_lets_everybody_read_metrics_only(tmp_path):
    with Server.start("--api-key", KEY, "--metrics-open", model=fake_model(tmp_path), runtime="fake") as server:
        assert server.get("/metrics").status == 200
        assert server.get("/v1/models").status == 401


def test_keys_do_not_show_in_the_log(locked):
    assert KEY not in locked.stderr.text()
    assert "first-of-file" not in locked.stderr.text()

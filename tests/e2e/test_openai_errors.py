"""OpenAI's own Python client: errors arrive as the client's own exceptions, with param and code."""

import openai
import pytest

from support.openai_client import chat, client_of, complete, question
from support.server import Server


def refused(kind, call):
    with pytest.raises(kind) as caught:
        call()
    return caught.value


def test_a_value_out_of_range_is_a_bad_request_that_names_the_field(client, model_id):
    error = refused(openai.BadRequestError, lambda: chat(client, model_id, temperature=9))
    assert error.param == "temperature"
    assert error.type == "invalid_request_error"
    assert "temperature" in str(error)


def test_a_wrong_type_is_a_bad_request_that_names_the_field(client, model_id):
    error = refused(openai.BadRequestError, lambda: chat(client, model_id, max_tokens="many"))
    assert error.param == "max_tokens"


def test_an_unknown_model_is_not_found(client):
    error = refused(openai.NotFoundError, lambda: chat(client, "no-such-model"))
    assert error.code == "model_not_found"
    assert error.param == "model"


def test_an_unknown_route_is_not_found(client):
    refused(openai.NotFoundError, lambda: client.post("/nowhere", cast_to=object, body={}))


def test_a_prompt_that_does_not_fit_is_never_cut(client, model_id):
    error = refused(openai.BadRequestError, lambda: complete(client, model_id, prompt=[10] * 9000, max_tokens=1))
    assert error.code == "context_length_exceeded"
    assert error.param == "prompt"


def test_messages_that_do_not_fit_are_never_cut(client, model_id):
    error = refused(openai.BadRequestError, lambda: chat(client, model_id, messages=question("word " * 20_000)))
    assert error.code == "context_length_exceeded"
    assert error.param == "messages"


def test_an_error_of_a_stream_that_never_began_is_an_exception_too(client, model_id):
    refused(openai.BadRequestError, lambda: chat(client, model_id, temperature=-1, stream=True))


@pytest.fixture(scope="module")
def locked_server(model_file, runtime):
    with Server.start("--api-key", "open sesame", model=model_file, runtime=runtime, key="open sesame") as server:
        yield server


def test_a_wrong_key_is_an_authentication_error(locked_server):
    error = refused(openai.AuthenticationError, lambda: client_of(locked_server, key="wrong").models.list())
    assert error.code == "invalid_api_key"


def test_the_right_key_opens(locked_server):
    assert client_of(locked_server).models.list().data


def test_a_timeout_of_the_client_cancels_its_generation(client, model_id, server):
    impatient = client.with_options(timeout=0.05)  # far less than 16,000 steps take
    endless = {"max_tokens": 8000, "n": 16, "extra_body": {"ignore_eos": True}}
    refused(openai.APITimeoutError, lambda: chat(impatient, model_id, **endless))
    server.wait_until_idle()


def test_the_request_id_is_in_the_exception(client, model_id):
    error = refused(openai.BadRequestError, lambda: chat(client, model_id, top_p=7))
    assert error.request_id

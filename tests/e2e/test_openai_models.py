"""OpenAI's own Python client: which models there are."""

import openai
import pytest

from support.openai_client import chat


def test_the_list_has_the_model_and_its_aliases(client, model_id, model_alias):
    (model,) = client.models.list().data
    assert model.id == model_id
    assert model.aliases == [model_alias]
    assert model.object == "model" and model.owned_by and model.created > 0


def test_a_model_is_found_by_its_id(client, model_id):
    assert client.models.retrieve(model_id).id == model_id


def test_an_unknown_model_is_not_found(client):
    with pytest.raises(openai.NotFoundError) as caught:
        client.models.retrieve("no-such-model")
    assert caught.value.code == "model_not_found"


def test_an_alias_answers_like_the_model(client, model_id, model_alias):
    by_alias = chat(client, model_alias, max_tokens=8)
    assert by_alias.choices[0].message.content == chat(client, model_id, max_tokens=8).choices[0].message.content

"""OpenAI's asynchronous client: many requests at once."""

import asyncio

from support.openai_client import async_client_of, question

CONCURRENT = 16


def ask(client, model_id, number, **fields):
    return client.chat.completions.create(
        model=model_id,
        messages=question(f"Tell me about the number {number}."),
        max_tokens=16,
        temperature=1.0,
        seed=number,
        **fields,
    )


async def whole(client, model_id, number):
    return (await ask(client, model_id, number)).choices[0].message.content


async def streamed(client, model_id, number):
    stream = await ask(client, model_id, number, stream=True)
    return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])


async def all_at_once(server, model_id, how):
    async with async_client_of(server) as client:
        return await asyncio.gather(*(how(client, model_id, number) for number in range(CONCURRENT)))


async def one_by_one(server, model_id):
    async with async_client_of(server) as client:
        return [await whole(client, model_id, number) for number in range(CONCURRENT)]


def test_sixteen_at_once_get_what_each_gets_alone(server, model_id):
    together = asyncio.run(all_at_once(server, model_id, whole))
    assert together == asyncio.run(one_by_one(server, model_id))


def test_sixteen_streams_at_once_say_the_same(server, model_id):
    assert asyncio.run(all_at_once(server, model_id, streamed)) == asyncio.run(all_at_once(server, model_id, whole))


def test_a_cancelled_task_frees_its_lane(server, model_id):
    async def leave():
        async with async_client_of(server) as client:
            fields = {"extra_body": {"ignore_eos": True}, "max_tokens": 2000, "stream": True}
            stream = await client.chat.completions.create(model=model_id, messages=question("Go on."), **fields)
            await anext(aiter(stream))
            await stream.close()

    asyncio.run(leave())
    server.wait_until_idle()

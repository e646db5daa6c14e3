# SPDX-License-Identifier: Apache-2.0
"""examples/serve.py: the right answers, many at a time, and hostile requests."""

import asyncio
import json

import numpy as np
import pytest

import mbn

pytest.importorskip("aiohttp")
from aiohttp.test_utils import TestClient, TestServer  # noqa: E402

from examples import serve as example  # noqa: E402


@pytest.fixture(scope="module")
def serve():
    return example


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    rows, _ = mbn.generate("moons", rows=200)
    net = mbn.MBNClustering(2, n_clusterings=20).fit(rows)
    path = tmp_path_factory.mktemp("serve") / "net.mbn"
    net.save(path)
    return path, net, np.asarray(rows, np.float32)


def talk(serve, path, conversation):
    """Runs `conversation(client)` with a server on a free port of this machine."""

    async def run():
        async with TestClient(TestServer(serve.make_app(path))) as client:
            return await conversation(client)

    return asyncio.run(run())


def test_single_rows_asked_together_get_their_own_answers(serve, model):
    path, net, rows = model

    async def ask(client):
        async def one(row):
            response = await client.post("/transform", json=row.tolist())
            return (await response.json())[0]

        return await asyncio.gather(*map(one, rows))

    answers = np.asarray(talk(serve, path, ask), np.float32)
    np.testing.assert_array_equal(answers, net.transform(rows))


def test_labels(serve, model):
    path, net, rows = model

    async def ask(client):
        response = await client.post("/predict", json=rows.tolist()[:50])
        return await response.json()

    assert talk(serve, path, ask) == net.predict(rows[:50]).tolist()


BAD = ["", "{", "null", "[]", "[[]]", "[[1]]", "[[1, 2, 3]]", '[["a", 2]]', "[[1, 2], [3]]", "[[NaN, 1]]", "[[1e999, 1]]",
       "[" * 100_000, '{"rows": 1}', "\x00\xff", "[[[1, 2]]]", json.dumps([[0.0, 0.0]] * 257)]


def test_hostile_bodies_are_refused_and_do_not_stop_it(serve, model):
    path, net, rows = model

    async def ask(client):
        codes = []
        for body in BAD:
            response = await client.post("/transform", data=body.encode("latin-1"))
            codes.append(response.status)
            assert (await response.text()).strip()
        large = await client.post("/transform", data=b"[" + b"1," * (1 << 20))
        wrong = [(await client.post("/fly", data=b"[]")).status, (await client.get("/transform")).status]
        last = await client.post("/transform", json=rows[0].tolist())
        return codes, large.status, wrong, await last.json()

    codes, large, wrong, last = talk(serve, path, ask)
    assert codes == [400] * len(BAD) and large == 413 and wrong == [404, 405]
    np.testing.assert_array_equal(np.asarray(last, np.float32), net.transform(rows[:1]))


def test_a_full_queue_says_so_at_once(serve, model, monkeypatch):
    path, _, rows = model
    monkeypatch.setattr(serve, "MOST_WAITING", 8)

    async def ask(client):
        async def one():
            response = await client.post("/transform", json=rows[:8].tolist())
            return response.status

        return await asyncio.gather(*[one() for _ in range(40)])

    codes = talk(serve, path, ask)
    assert set(codes) <= {200, 503} and codes.count(200) >= 1 and codes.count(503) >= 1

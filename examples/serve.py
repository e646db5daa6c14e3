#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model behind HTTP: rows in, embeddings or labels out.

    pip install mbn aiohttp
    python3 examples/serve.py net.mbn --port 8080
    curl -d '[[0.5, 0.25]]' http://127.0.0.1:8080/transform

POST /transform and /predict take one row or a list of rows as JSON and answer with a list: an embedding
or a label for each row. GET /health says what is served. A row gets the same bytes whatever else is asked
at the same time: rows that wait are taken together, because a batch costs less than its rows one by one,
and the answer of a row does not depend on its batch.

What protects the server: requests above a size are not read, rows above a number are refused, a queue
that is full answers 503 at once instead of growing, and a request that waits too long is answered 504.
"""

import argparse
import asyncio
import json

import numpy as np
from aiohttp import web

import mbn

MOST_BYTES = 1 << 20  # of a request
MOST_ROWS = 256       # of a request
MOST_WAITING = 4096   # rows, over all requests
BATCH_ROWS = 256
SECONDS = 2.0         # that a request may wait, and that its body may take to arrive
BATCHERS = web.AppKey("batchers", dict)


class Batcher:
    """Rows of many requests, answered together by `function` in one thread of its own."""

    def __init__(self, function):
        self.function = function
        self.waiting = []  # (rows, future)
        self.rows = 0
        self.wake = asyncio.Event()

    async def answer(self, rows):
        if self.rows + len(rows) > MOST_WAITING:
            raise web.HTTPServiceUnavailable(text="too many rows are waiting; try again\n",
                                             headers={"Retry-After": "1"})
        future = asyncio.get_running_loop().create_future()
        self.waiting.append((rows, future))
        self.rows += len(rows)
        self.wake.set()
        try:
            return await asyncio.wait_for(future, SECONDS)
        except asyncio.TimeoutError:
            raise web.HTTPGatewayTimeout(text="the server is busy; try again\n") from None

    def next_batch(self):
        """The requests that waited longest, up to BATCH_ROWS rows; those that gave up are left out."""
        batch, rows = [], 0
        while self.waiting and (not batch or rows + len(self.waiting[0][0]) <= BATCH_ROWS):
            batch.append(self.waiting.pop(0))
            rows += len(batch[-1][0])
        self.rows -= rows
        return [(rows, future) for rows, future in batch if not future.done()]

    async def work(self):
        loop = asyncio.get_running_loop()
        while True:
            await self.wake.wait()
            batch = self.next_batch()
            if not self.waiting:
                self.wake.clear()
            if not batch:
                continue
            try:
                answers = await loop.run_in_executor(None, self.function, np.concatenate([rows for rows, _ in batch]))
            except Exception as error:  # noqa: BLE001: whoever asked is told, and the next batch goes on
                answers = error
            first = 0
            for rows, future in batch:
                part = answers if isinstance(answers, Exception) else answers[first:first + len(rows)]
                first += len(rows)
                if future.done():
                    continue
                if isinstance(part, Exception):
                    future.set_exception(web.HTTPInternalServerError(text=f"{part}\n"))
                else:
                    future.set_result(part.tolist())


def refuse(text):
    raise web.HTTPBadRequest(text=text + "\n")


async def rows_of(request, columns):
    """The rows of a request, or an answer that says what is wrong with them. Checked before they join a
    batch, so that a bad row cannot spoil the answers of others."""
    try:
        body = await asyncio.wait_for(request.read(), SECONDS)
    except asyncio.TimeoutError:
        raise web.HTTPRequestTimeout(text="the request did not arrive in time\n") from None
    try:
        rows = np.asarray(json.loads(body), dtype=np.float32)
    except (ValueError, TypeError, RecursionError, OverflowError):
        refuse("send rows of numbers as JSON, like [[1, 2], [3, 4]]")
    if rows.ndim == 1:
        rows = rows[None]
    if rows.ndim != 2 or rows.shape[1] != columns or not len(rows):
        refuse(f"the model takes rows of {columns} numbers")
    if len(rows) > MOST_ROWS:
        refuse(f"{len(rows)} rows are too many; send at most {MOST_ROWS} at a time")
    if not np.isfinite(rows).all():
        refuse("a value is missing or not finite")
    return rows


def make_app(path, threads=1):
    net = mbn.load(path)
    net.n_jobs = threads
    columns = net.n_features_in_
    verbs = {"transform": net.transform}
    if hasattr(net, "predict"):
        verbs["predict"] = net.predict
    # The first rows make what later ones use.
    for function in verbs.values():
        function(np.zeros((64, columns), np.float32))

    async def batchers(app):
        app[BATCHERS] = {verb: Batcher(function) for verb, function in verbs.items()}
        tasks = [asyncio.create_task(batcher.work()) for batcher in app[BATCHERS].values()]
        yield
        for task in tasks:
            task.cancel()

    async def answer(request):
        batcher = request.app[BATCHERS].get(request.match_info["verb"])
        if batcher is None:
            raise web.HTTPNotFound(text=f"POST to {' or '.join('/' + verb for verb in verbs)}\n")
        return web.json_response(await batcher.answer(await rows_of(request, columns)))

    async def health(_):
        return web.json_response({"model": str(path), "columns": columns, "verbs": sorted(verbs),
                                  "version": mbn.__version__})

    app = web.Application(client_max_size=MOST_BYTES)
    app.cleanup_ctx.append(batchers)
    app.add_routes([web.get("/health", health), web.post("/{verb}", answer)])
    return app


def main():
    parser = argparse.ArgumentParser(description="Serves a model over HTTP.")
    parser.add_argument("model")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--threads", type=int, default=1, help="threads of a batch (1)")
    arguments = parser.parse_args()
    web.run_app(make_app(arguments.model, arguments.threads), host=arguments.host, port=arguments.port,
                access_log=None, keepalive_timeout=15)


if __name__ == "__main__":
    main()

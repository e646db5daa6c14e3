// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { made, packed } from "./made_report.mjs";
import { Columns, histogram, summarise } from "../src/columns.ts";
import { bytesOfBase64, decode, gunzip, parsePayload } from "../src/decode.ts";
import { placeIn, Report } from "../src/report.ts";
import { World } from "../src/world.ts";

const base64 = (bytes) => gzipSync(bytes).toString("base64");

test("base64 is read with and without line breaks, and without the browser's own function", () => {
  const bytes = Uint8Array.from({ length: 200_001 }, (_, k) => (k * 31) % 256);
  const text = Buffer.from(bytes).toString("base64");
  const own = Uint8Array.fromBase64;
  delete Uint8Array.fromBase64;
  try {
    assert.deepEqual(bytesOfBase64(text), bytes);
    assert.deepEqual(bytesOfBase64(`\n${text.replace(/.{76}/g, "$&\n")}\n`), bytes);
    assert.deepEqual(bytesOfBase64(Buffer.from(bytes.subarray(0, 200_000)).toString("base64")), bytes.subarray(0, 200_000));
  } finally {
    if (own) Uint8Array.fromBase64 = own;
  }
});

test("gzip is unpacked", async () => {
  const bytes = new Uint8Array(100_000).fill(7);
  assert.deepEqual(await gunzip(new Uint8Array(gzipSync(bytes))), bytes);
});

test("arrays of every type come back as they were", async () => {
  const payload = await decode(base64(packed()));
  const { header, arrays } = made();
  assert.equal(payload.header.title, header.title);
  for (const [name, array] of Object.entries(arrays)) {
    if (Array.isArray(array)) assert.deepEqual(payload.strings(name), array);
    else assert.deepEqual(payload.numbers(name), array);
  }
  assert.equal(payload.numbers("none"), null);
  assert.equal(payload.strings("map_x"), null);
});

test("other bytes are refused in a sentence", async () => {
  assert.throws(() => parsePayload(new Uint8Array(40)), /another form/);
  await assert.rejects(decode(base64(Buffer.from("no page"))), /another form/);
});

test("a report answers for each row", () => {
  const report = new Report(parsePayload(packed()));
  assert.equal(report.id(4), "item-0004");
  assert.equal(report.label(0), null);
  assert.equal(report.label(1), made().header.label.names[made().arrays.label[1]]);
  assert.equal(report.samplePlace(2), -1);
  assert.equal(report.sample[report.samplePlace(4)], 4);
  assert.equal(report.picture(3).length, 144);
  const value = report.header.values[0];
  assert.ok(Math.abs(report.value(0, 5) - (value.low + value.step * made().arrays.confidence[5])) < 1e-9);
});

test("rows are found in an ascending list", () => {
  const rows = Uint32Array.of(2, 5, 9);
  assert.deepEqual([2, 5, 9, 0, 6, 10].map((row) => placeIn(rows, row)), [0, 1, 2, -1, -1, -1]);
  assert.equal(placeIn(null, 1), -1);
});

test("frames are brought into the map's box, and coordinates come back", () => {
  const report = new Report(parsePayload(packed()));
  const world = new World(report);
  const { header, arrays } = made();
  const last = header.frames.length - 1;
  for (let frame = 0; frame <= last; ++frame) {
    const { x, y } = world.frame(frame);
    assert.equal(x.length, report.sampled);
    assert.ok(Math.max(...x.map(Math.abs)) <= world.halfWidth + 1e-5);
    assert.ok(Math.max(...y.map(Math.abs)) <= world.halfHeight + 1e-5);
  }
  const [x] = world.coordinates(7, last);
  const [low, high] = header.map.x;
  assert.ok(Math.abs(x - (low + (arrays.map_x[7] / 65535) * (high - low))) < 1e-9);
  assert.equal(world.coordinates(2, 0), null);
});

test("summaries leave out what is missing and far outliers", () => {
  const plain = summarise(Float32Array.of(1, 2, 3, NaN));
  assert.deepEqual([plain.low, plain.high, plain.mean], [1, 3, 2]);
  const column = Float32Array.from({ length: 1000 }, (_, k) => (k === 500 ? 1e6 : k % 10));
  const far = summarise(column);
  assert.deepEqual([far.low, far.high, far.shownLow, far.shownHigh], [0, 1e6, 0, 9]);
  assert.deepEqual(summarise(Float32Array.of(NaN)).mean, 0);
});

test("histograms count every number between their ends once", () => {
  const counts = histogram(Float32Array.of(0, 0.1, 0.5, 1, NaN, 2), 0, 1, 4);
  assert.deepEqual([...counts], [2, 0, 1, 1]);
  assert.deepEqual([...histogram(Float32Array.of(5, 5), 5, 5, 3)], [2, 0, 0]);
});

test("the columns in which a row stands out come furthest first", () => {
  const columns = new Columns(new Report(parsePayload(packed())));
  const found = columns.standouts(3, 4);
  assert.equal(found.length, 4);
  for (let k = 1; k < 4; ++k) assert.ok(Math.abs(found[k - 1].deviations) >= Math.abs(found[k].deviations));
});

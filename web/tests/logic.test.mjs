// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { nearestByShare, shares } from "../src/agreement.ts";
import { Camera } from "../src/camera.ts";
import { kDark, kLight, luminance, pack, paletteOf, scaleOf, unpack } from "../src/colours.ts";
import { csvField, idsAsCsv } from "../src/csv.ts";
import { fromFragment, kNothing, toFragment } from "../src/fragment.ts";
import { Grid } from "../src/grid.ts";
import { findIslands, overlap, placeLabels } from "../src/islands.ts";
import { compose, position, shuffled } from "../src/paint.ts";
import { search } from "../src/search.ts";
import { combine, insidePolygon, litRows, placesInside, rowsOf } from "../src/selection.ts";
import { random } from "../../tests/page/made.mjs";

test("shares are the fraction of clusterings with an equal code", () => {
  const codes = Uint8Array.of(1, 1, 2, 3, 3, 3, 0, 1, 0, 5, 6, 7);  // 4 clusterings of 3 rows
  assert.deepEqual([...shares(codes, 3, 4, 0)], [1, 0.5, 0.5]);
  assert.deepEqual([...shares(codes, 3, 4, 1)], [0.5, 1, 0.25]);
});

test("the rows that agree most come first, equal ones by number, none with nothing in common", () => {
  const share = Float32Array.of(0.2, 1, 0.5, 0.5, 0, 0.9);
  assert.deepEqual(nearestByShare(share, 1, 3), [5, 2, 3]);
  assert.deepEqual(nearestByShare(share, 1, 9), [5, 2, 3, 0]);
});

test("CSV fields are quoted when they must be, and exact", () => {
  assert.equal(csvField('say "hi"'), '"say ""hi"""');
  assert.equal(csvField("a,b"), '"a,b"');
  assert.equal(csvField("=1+1"), "=1+1");
  assert.equal(csvField(""), '""');
  assert.equal(csvField("two\nlines"), '"two\nlines"');
  assert.equal(idsAsCsv("id", ["a", "b c"]), "id\r\na\r\nb c\r\n");
});

test("the state comes back from the fragment", () => {
  const kept = {
    view: { x: 0.25, y: -0.5, zoom: 3.5 }, colour: "value2", frame: 3, isolated: { by: "label", which: 4 }, row: 17,
    filter: { which: 1, low: -0.5, high: 2.25 }, search: "a&b=c, #d ü", theme: "dark", renderer: "canvas",
  };
  assert.deepEqual(fromFragment(`#${toFragment(kept)}`), kept);
  assert.equal(toFragment(kNothing), "");
});

test("a fragment that makes no sense is left out", () => {
  assert.deepEqual(fromFragment("#view=1,2&frame=x&row=-4&only=tree,3&filter=1,,2&theme=pink"), kNothing);
  assert.deepEqual(fromFragment("#view=NaN,0,0"), kNothing);
  assert.equal(fromFragment("#view=99,0,1e9").view.x, 1.2);
});

test("zooming keeps the place under the pointer", () => {
  const camera = new Camera(1, 0.6);
  [camera.width, camera.height, camera.top] = [800, 500, 40];
  const before = camera.toWorld(200, 300);
  camera.view = camera.zoomed(3, 200, 300);
  const after = camera.toWorld(200, 300);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
  const [left, top] = camera.toScreen(...before);
  assert.ok(Math.hypot(left - 200, top - 300) < 1e-6);
});

test("the grid finds the nearest point, as looking at all of them does", () => {
  const draw = random(1);
  const x = Float32Array.from({ length: 3000 }, () => draw() ** 3 * 2 - 1);
  const y = Float32Array.from({ length: 3000 }, () => draw() * 2 - 1);
  const grid = new Grid(x, y);
  for (let k = 0; k < 200; ++k) {
    const [across, up, reach] = [draw() * 2.6 - 1.3, draw() * 2.6 - 1.3, draw() * 0.3];
    let best = -1;
    let least = reach * reach;
    for (let m = 0; m < x.length; ++m) {
      const distance = (x[m] - across) ** 2 + (y[m] - up) ** 2;
      if (distance < least) [best, least] = [m, distance];
    }
    assert.equal(grid.nearest(across, up, reach), best);
  }
  assert.equal(new Grid(new Float32Array(0), new Float32Array(0)).nearest(0, 0, 1), -1);
  assert.equal(grid.nearest(0, 0, 5, (m) => m === 77), 77);
});

test("a lasso holds what is inside it", () => {
  const arrow = [[0, 0], [4, 0], [4, 4], [2, 1], [0, 4]];
  assert.ok(insidePolygon(1, 1, arrow));
  assert.ok(!insidePolygon(2, 3, arrow));
  assert.deepEqual(placesInside(Float32Array.of(1, 2, 9), Float32Array.of(1, 3, 1), arrow), [0]);
  assert.deepEqual(placesInside(Float32Array.of(1), Float32Array.of(1), [[0, 0], [1, 1]]), []);
});

test("shapes replace, add and take away", () => {
  const first = combine(null, [1, 2], "replace", 5);
  assert.deepEqual(rowsOf(combine(first, [3], "add", 5)), [1, 2, 3]);
  assert.deepEqual(rowsOf(combine(first, [2, 3], "subtract", 5)), [1]);
  assert.deepEqual(rowsOf(combine(first, [4], "replace", 5)), [4]);
  assert.deepEqual(rowsOf(combine(null, [0, 1], "subtract", 5)), [2, 3, 4]);
  assert.equal(combine(first, [1, 2], "subtract", 5), null);
  assert.deepEqual(rowsOf(first), [1, 2]);
});

test("a brush keeps what lies within, never what is missing", () => {
  const filter = { column: Float32Array.of(0, 1, 2, NaN), low: 1, high: 2 };
  assert.deepEqual([...litRows(4, { group: null, filter, search: null, drawn: null })], [0, 1, 1, 0]);
  const group = { numbers: Uint16Array.of(3, 3, 1, 3), which: 3 };
  assert.deepEqual([...litRows(4, { group, filter, search: null, drawn: Uint8Array.of(1, 1, 1, 1) })], [0, 1, 0, 0]);
  assert.equal(litRows(4, { group: null, filter: null, search: null, drawn: null }), null);
});

const library = (ids, texts) => ({
  rows: (ids ?? texts).length, header: { ids: ids !== null, texts: texts !== null },
  id: (row) => ids?.[row] ?? null, text: (row) => texts?.[row] ?? null,
});

test("search finds numbers, ids and texts, and nothing where nothing matches", () => {
  const report = library(["ab1", "AB2", "c"], ["blue sky", "x", "Sky <b>"]);
  assert.deepEqual(rowsOf(search(report, " sky ").mask), [0, 2]);
  assert.deepEqual(rowsOf(search(report, "ab").mask), [0, 1]);
  assert.deepEqual(search(report, "2").first, [2, 1]);
  assert.equal(search(report, "zzz").count, 0);
  assert.ok(!search(report, "zzz").mask.includes(1));
  assert.equal(search(report, "  "), null);
  assert.deepEqual(rowsOf(search(library(["q"], null), "c.*").mask), []);
  assert.equal(search(report, "99").count, 0);
});

test("names never overlap, and more of them come with zoom", () => {
  const draw = random(5);
  const count = 40;
  const x = Float32Array.from({ length: 4000 }, (_, k) => Math.cos(k % count) * 0.5 + (draw() - 0.5) * 0.05);
  const y = Float32Array.from({ length: 4000 }, (_, k) => Math.sin(k % count) * 0.5 + (draw() - 0.5) * 0.05);
  const islands = findIslands(x, y, Uint16Array.from(x, (_, k) => k % count), count);
  const camera = new Camera(1, 1);
  [camera.width, camera.height] = [600, 600];
  const place = (zoom) => {
    camera.view = { x: 0.5, y: 0, zoom };
    return placeLabels(islands, (a, b) => camera.toScreen(a, b), (island) => ({ text: `group ${island.group}`, width: 80, height: 22 }), zoom, 600, 600);
  };
  for (const zoom of [0.5, 1, 2, 5]) {
    const labels = place(zoom);
    labels.forEach((a, k) => labels.slice(k + 1).forEach((b) => assert.ok(!overlap(a, b))));
  }
  assert.ok(place(2).length > place(0.5).length);
});

test("a name stands above an island that it would cover", () => {
  const place = (spread) => placeLabels([{ group: 0, x: 0, y: 0, size: 9, rank: 0, spread }], (x, y) => [300 + 100 * x, 300 - 100 * y],
                                        () => ({ text: "a", width: 40, height: 20 }), 1, 600, 600)[0];
  assert.equal(place(0.5).top + 10, 300);
  assert.ok(place(0.01).top + 20 < 300);
});

test("an island lies among its own rows", () => {
  const x = Float32Array.of(-0.8, -0.8, -0.81, 0.9, 0.5);
  const y = Float32Array.of(0.1, 0.1, 0.11, 0.9, 0.5);
  const [first] = findIslands(x, y, Uint16Array.of(0, 0, 0, 0, 65535), 1);
  assert.ok(Math.abs(first.x + 0.803) < 0.01 && Math.abs(first.y - 0.103) < 0.01);
});

test("grey points are painted first, and every point once", () => {
  const order = shuffled(100);
  assert.deepEqual([...order].sort((a, b) => a - b), Array.from({ length: 100 }, (_, k) => k));
  const levels = Uint8Array.from({ length: 100 }, (_, k) => k % 3);
  const colours = Uint32Array.from({ length: 100 }, (_, k) => k + 1);
  const paint = compose(order, levels, colours, kLight);
  assert.equal(paint.lit, 34);
  for (let k = 1; k < 100; ++k) assert.ok(levels[paint.places[k - 1]] <= levels[paint.places[k]]);
  assert.equal(new Set(paint.places).size, 100);
  const from = { x: Float32Array.from(colours), y: new Float32Array(100) };
  const to = { x: new Float32Array(100), y: Float32Array.from(colours) };
  position(paint, from, to, 0.25);
  const place = paint.places[50];
  assert.deepEqual([paint.x[50], paint.y[50]], [0.75 * (place + 1), 0.25 * (place + 1)]);
});

test("colours show on a dark ground, and much is bright there", () => {
  for (const colour of paletteOf(["#3e2e55", "#0c5b46", "#000000"], kDark)) assert.ok(luminance(colour) > 0.1);
  const [light, dark] = [kLight, kDark].map((theme) => scaleOf(["#d2e21b", "#440154"], theme));
  assert.deepEqual(light[255], dark[0]);
  assert.deepEqual(unpack(pack([1, 2, 3], 4)), [1, 2, 3]);
});

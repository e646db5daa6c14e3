// SPDX-License-Identifier: Apache-2.0
//
// What a person does with the page, in a real browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { shares } from "./expected.mjs";
import { bare, small } from "./made.mjs";
import { open, openBrowser, Pages } from "./browser.mjs";

const made = small();
let browser, pages, file;
before(async () => {
  browser = await openBrowser();
  pages = new Pages();
  file = pages.write("small", made);
});
after(async () => {
  await browser?.close();
  pages?.remove();
});

/// Opens a page, uses it, and asserts that it sent nothing and said nothing.
async function withPage(options, use) {
  const page = await open(browser, options.file ?? file, options);
  try {
    await use(page);
    assert.deepEqual(page.trouble, []);
  } finally {
    await page.context().close();
  }
}

const clickRow = async (page, row) => page.mouse.click(...(await page.ask("screen", row)));
const rowsWhere = (test) => Array.from({ length: made.header.rows }, (_, row) => row).filter(test);

async function downloaded(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8"), bytes: readFileSync(await download.path()) };
}

/// The row whose point is alone under the pointer, so that pointing at it must find it.
async function lonelyRow(page) {
  const places = await page.evaluate((rows) => Array.from({ length: rows }, (_, row) => window.mbnReport.screen(row)), made.header.rows);
  let best = 0;
  let most = -1;
  places.forEach(([x, y], row) => {
    const nearest = Math.min(...places.map(([a, b], other) => (other === row ? Infinity : Math.hypot(a - x, b - y))));
    if (nearest > most) [best, most] = [row, nearest];
  });
  return best;
}

for (const renderer of ["canvas", "webgl"]) {
  test(`hovering shows the right row: ${renderer}`, async () => {
    const page = await open(browser, file, { fragment: `#renderer=${renderer}` });
    assert.equal(await page.ask("renderer"), renderer);
    const row = await lonelyRow(page);
    await page.mouse.move(...(await page.ask("screen", row)));
    const card = page.locator("#hover-card");
    await card.waitFor({ state: "visible" });
    const text = await card.textContent();
    assert.ok(text.includes(made.arrays.ids[row]), text);
    assert.ok(text.includes(made.arrays.texts[row]));
    assert.ok(text.includes("confidence") && text.includes("outlier score") && text.includes("standard deviations"));
    assert.equal(await card.locator("canvas").count(), 1);
    // In software, the browser itself remarks that reading the pixels back is slow.
    assert.deepEqual(page.trouble.filter((line) => !line.includes("GL Driver Message")), []);
    await page.context().close();
  });

  test(`points are drawn in their colours: ${renderer}`, async () => {
    const page = await open(browser, file, { fragment: `#renderer=${renderer}&only=cluster,1` });
    const seen = await page.evaluate(async () => {
      const canvas = document.querySelector("#map canvas");
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      let orange = 0, blue = 0;
      for (let k = 0; k < data.length; k += 4) {
        if (data[k] > 200 && data[k + 2] < 110) ++orange;
        if (data[k] < 80 && data[k + 2] > 180) ++blue;
      }
      return { orange, blue };
    });
    assert.ok(seen.orange > 200, JSON.stringify(seen));
    assert.equal(seen.blue, 0);
    await page.context().close();
  });
}

test("a picture in the card has the row's bytes", () => withPage({ fragment: "#row=3" }, async (page) => {
  const pixels = await page.evaluate(() => {
    const canvas = document.querySelector("#panel-row .picture.large");
    return Array.from(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.filter((_, k) => k % 4 === 1));
  });
  assert.deepEqual(pixels, Array.from(made.arrays.pictures.subarray(3 * 144, 4 * 144)));
}));

test("clicking a row tells who agrees with it", () => withPage({}, async (page) => {
  const row = await lonelyRow(page);
  await clickRow(page, row);
  assert.equal((await page.ask("state")).row, row);
  await page.locator("#panel-row .neighbour").first().waitFor();
  assert.ok((await page.locator("#panel-row").textContent()).includes("40 clusterings"));
}));

test("agreement shares are those of the codes", () => withPage({ fragment: "#row=4" }, async (page) => {
  const { sample, codes } = made.arrays;
  const expected = shares(codes, sample.length, 40, sample.indexOf(4));
  const seen = await page.ask("shares", 4);
  seen.forEach((share, place) => assert.ok(Math.abs(share - expected[place]) < 1e-6));
  const best = expected.map((share, place) => ({ share, place })).filter(({ place }) => sample[place] !== 4)
    .sort((a, b) => b.share - a.share || a.place - b.place).slice(0, 12);
  const listed = await page.locator(".neighbour").evaluateAll((items) => items.map((item) => [
    item.querySelector("bdi").textContent, item.querySelector(".neighbour-share span").textContent]));
  assert.deepEqual(listed, best.map(({ share, place }) => [made.arrays.ids[sample[place]], `${Math.round(share * 100)} %`]));
}));

test("a row outside the sample has a stand-in, and the page says so", () => withPage({ fragment: "#row=2" }, async (page) => {
  assert.ok((await page.locator("#panel-row .remark").textContent()).includes("nearest one on the map"));
  assert.equal(await page.ask("shares", 2), null);
}));

test("the slider moves the points, and its ends are the data's", () => withPage({}, async (page) => {
  const { frames, map } = made.header;
  const last = frames.length - 1;
  const close = (seen, u16, range) => assert.ok(Math.abs(seen - (range[0] + (u16 / 65535) * (range[1] - range[0]))) < 1e-6);
  const [x, y] = await page.ask("position", 10, last);
  close(x, made.arrays.map_x[10], map.x);
  close(y, made.arrays.map_y[10], map.y);
  const place = made.arrays.sample.indexOf(10);
  close((await page.ask("position", 10, 0))[0], made.arrays.frame_0_x[place], frames[0].x);
  const before = await page.ask("screen", 10);
  await page.locator("#frame").focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => window.mbnReport.state().frame % 1 !== 0);
  await page.waitForFunction(() => window.mbnReport.state().frame === 0);
  const now = await page.ask("screen", 10);
  assert.ok(Math.hypot(now[0] - before[0], now[1] - before[1]) > 2);
  assert.ok((await page.locator("#map-note").textContent()).includes("400 of 600 rows"));
  assert.equal(await page.ask("screen", 2), null);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => window.mbnReport.state().frame === 1);
  assert.equal(await page.locator("#panel-layers tr.here th").textContent(), "1");
  await page.keyboard.press("End");
  await page.waitForFunction((end) => window.mbnReport.state().frame === end, last);
  assert.deepEqual(await page.ask("screen", 10), before);
}));

test("play goes through the layers; less motion means jumps", () => withPage({ reducedMotion: "reduce" }, async (page) => {
  await page.locator("#play").click();
  await page.waitForFunction(() => window.mbnReport.state().frame === 2);
  await page.locator("#play").click();
  assert.equal((await page.ask("state")).frame % 1, 0);
}));

test("a cluster can be seen alone", () => withPage({}, async (page) => {
  await page.locator(".clusters .name").nth(2).click();
  assert.deepEqual(await page.ask("selected"), rowsWhere((row) => made.arrays.cluster[row] === 2));
  assert.equal(await page.locator(".clusters .name").nth(2).getAttribute("aria-pressed"), "true");
  assert.deepEqual((await page.ask("labels")).map(({ text }) => text), ["2: high"]);
  await page.locator(".clusters .name").nth(2).click();
  assert.equal((await page.ask("selected")).length, 600);
}));

test("search finds by id, number and text, and nothing where nothing matches", () => withPage({}, async (page) => {
  const find = async (text) => {
    await page.locator("#search").fill(text);
    await page.waitForFunction((wanted) => window.mbnReport.state().search === wanted, text);
    return page.ask("selected");
  };
  assert.deepEqual(await find("ITEM-0123"), [123]);
  assert.deepEqual(await find("bright"), rowsWhere((row) => row % 4 === 2));
  assert.ok((await find("17")).includes(17));
  assert.deepEqual(await find("no such row"), []);
  assert.equal(await page.locator("#results").textContent(), "No row matches.");
  assert.equal(await page.locator("#save-csv").isDisabled(), true);
  await find("item-0042");
  await page.keyboard.press("Enter");
  assert.equal((await page.ask("state")).row, 42);
}));

test("a brush over the histogram filters", () => withPage({ fragment: "#colour=value2" }, async (page) => {
  const box = await page.locator(".histogram").boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 20, { steps: 4 });
  await page.mouse.up();
  const { filter } = await page.ask("state");
  const { low, step } = made.header.values[2];
  const inside = (row) => {
    const number = Math.fround(low + step * made.arrays.value_0[row]);
    return number >= filter.low && number <= filter.high;
  };
  const selected = await page.ask("selected");
  assert.deepEqual(selected, rowsWhere(inside));
  assert.ok(selected.length > 50 && selected.length < 590, String(selected.length));
  await page.getByLabel("Largest").fill("200");
  await page.getByLabel("Least").fill("100");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.ask("selected"), []);
  await page.locator(".between button").click();
  assert.equal((await page.ask("state")).filter, null);
}));

test("box and lasso add and take away, and the exported ids are the selected ones", () => withPage({}, async (page) => {
  const map = await page.locator("#map").boundingBox();
  const [left, top, width, height] = [map.x, map.y, map.width, map.height];
  const drag = async (from, to, key) => {
    if (key) await page.keyboard.down(key);
    await page.mouse.move(left + from[0] * width, top + from[1] * height);
    await page.mouse.down();
    await page.mouse.move(left + to[0] * width, top + to[1] * height, { steps: 5 });
    await page.mouse.up();
    if (key) await page.keyboard.up(key);
  };
  const places = await page.evaluate((rows) => Array.from({ length: rows }, (_, row) => window.mbnReport.screen(row)), 600);
  const within = (from, to) => ([x, y]) => x > left + from[0] * width && x < left + to[0] * width && y > top + from[1] * height && y < top + to[1] * height;
  const [a, b, c] = [within([0.02, 0.1], [0.4, 0.98]), within([0.6, 0.1], [0.98, 0.98]), within([0.02, 0.5], [0.4, 0.98])];
  await page.locator("[data-tool=box]").click();
  await drag([0.02, 0.1], [0.4, 0.98]);
  assert.deepEqual(await page.ask("selected"), rowsWhere((row) => a(places[row])));
  await drag([0.6, 0.1], [0.98, 0.98], "Shift");
  assert.deepEqual(await page.ask("selected"), rowsWhere((row) => a(places[row]) || b(places[row])));
  await page.locator("[data-combine=subtract]").click();
  await drag([0.02, 0.5], [0.4, 0.98]);
  const expected = rowsWhere((row) => (a(places[row]) || b(places[row])) && !c(places[row]));
  assert.deepEqual(await page.ask("selected"), expected);
  assert.ok(expected.length > 20);
  const csv = await downloaded(page, () => page.locator("#save-csv").click());
  assert.equal(csv.text, ["id", ...expected.map((row) => made.arrays.ids[row]), ""].join("\r\n"));
  const counted = await page.locator("#selected .counts tr td:nth-child(2)").allTextContents();
  assert.equal(counted.reduce((sum, text) => sum + Number(text.replaceAll(",", "")), 0), expected.length);
  await page.locator("[data-tool=lasso]").click();
  await page.locator("[data-combine=replace]").click();
  const [x, y] = places[5];
  await page.mouse.move(x - 30, y - 30);
  await page.mouse.down();
  for (const [across, down] of [[30, -30], [30, 30], [-30, 30]]) await page.mouse.move(x + across, y + down, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await page.ask("selected"), rowsWhere((row) => Math.abs(places[row][0] - x) < 30 && Math.abs(places[row][1] - y) < 30));
}));

test("the view is saved as PNG and as SVG", () => withPage({}, async (page) => {
  const png = await downloaded(page, () => page.locator("#save-png").click());
  assert.equal(png.name, "Six-made-groups.png");
  assert.equal(png.bytes.toString("latin1", 1, 4), "PNG");
  const svg = await downloaded(page, () => page.locator("#save-svg").click());
  assert.equal(svg.text.split("<circle").length - 1, 600);
  assert.ok(svg.text.includes(">1: wide</text>"));
  const fault = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent, svg.text);
  assert.equal(fault, undefined);
}));

test("the state is in the address and comes back", () => withPage({}, async (page) => {
  await page.locator("#colour-by").selectOption("label");
  await page.locator(".legend button").nth(1).click();
  await page.locator("#map").focus();
  for (const key of ["+", "+", "ArrowLeft"]) await page.keyboard.press(key);
  await page.locator("#theme").click();
  await page.waitForFunction(() => location.hash.includes("theme=dark") && location.hash.includes("only="));
  const state = await page.ask("state");
  const again = await open(browser, file, { fragment: new URL(page.url()).hash });
  const seen = await again.ask("state");
  for (const key of ["colour", "isolated", "frame", "row", "dark"]) assert.deepEqual(seen[key], state[key]);
  assert.ok(Math.abs(seen.view.zoom / state.view.zoom - 1) < 1e-3 && Math.abs(seen.view.x - state.view.x) < 1e-4);
  await again.context().close();
}));

/// Keeps what the page wants to do a little later, so that a test decides when.
function holdTimers() {
  const start = window.setTimeout.bind(window);
  window.setTimeout = (call, wait, ...given) => (wait >= 100 ? (window.later ??= []).push(call) : start(call, wait, ...given));
}

test("an address that changes while the page is about to write its own wins", () => withPage({ first: holdTimers }, async (page) => {
  const seen = await page.evaluate(async () => {
    document.getElementById("map").dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
    const told = new Promise((done) => addEventListener("hashchange", done));
    location.hash = "row=3";
    for (const call of window.later) call();
    await told;
    return { row: window.mbnReport.state().row, hash: location.hash };
  });
  assert.deepEqual(seen, { row: 3, hash: "#row=3" });
}));

test("wheel, double click and pinch zoom", () => withPage({ hasTouch: true }, async (page) => {
  const { x, y, width, height } = await page.locator("#map").boundingBox();
  const zoom = async () => (await page.ask("state")).view.zoom;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction(() => window.mbnReport.state().view.zoom > 1.5);
  const first = await zoom();
  await page.mouse.dblclick(x + width - 20, y + height - 20);
  assert.ok((await zoom()) > 1.9 * first);
  const second = await zoom();
  const touch = await page.context().newCDPSession(page);
  const fingers = (apart) => [-apart, apart].map((side, id) => ({ x: x + width / 2 + side, y: y + height / 2, id }));
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(120) });
  for (const apart of [100, 80, 60]) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const ratio = (await zoom()) / second;
  assert.ok(ratio > 0.4 && ratio < 0.65, String(ratio));
}));

test("a page with nothing but a map works", () => withPage({ file: pages.write("bare", bare()) }, async (page) => {
  await page.mouse.move(...(await page.ask("screen", 7)));
  assert.ok((await page.locator("#hover-card").textContent()).includes("row "));
  assert.equal(await page.locator("#slider").isVisible(), false);
  assert.equal(await page.locator("#panel-clusters").isVisible(), false);
}));

// SPDX-License-Identifier: Apache-2.0
//
// The page that the tool writes, against the tool's other files. Runs when MBN_TOOL names a tool that has
// the verb "report".
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readNpy, shares } from "./expected.mjs";
import { open, openBrowser } from "./browser.mjs";

const tool = process.env.MBN_TOOL;
const able = Boolean(tool) && /Usage: mbn report/.test(spawnSync(tool, ["report", "--help"], { encoding: "utf8" }).stdout);
const skip = able ? false : "MBN_TOOL names no tool with the verb report";
const kRows = 400;
let browser, folder, page;

function mbn(...given) {
  const run = spawnSync(tool, given, { cwd: folder, encoding: "utf8" });
  assert.equal(run.status, 0, `mbn ${given.join(" ")}\n${run.stderr}`);
}

before(async () => {
  if (!able) return;
  folder = mkdtempSync(join(tmpdir(), "mbn-report-"));
  mbn("generate", "compound", "-n", String(kRows), "-o", "rows.npy", "--labels", "truth.npy");
  mbn("cluster", "rows.npy", "--clusters", "6", "--feature-fraction", "1", "--map", "2", "-o", "labels.npy", "--model", "net.mbn");
  mbn("transform", "net.mbn", "rows.npy", "--map", "-o", "map.npy");
  mbn("transform", "net.mbn", "rows.npy", "--codes", "-o", "codes.npy");
  mbn("report", "net.mbn", "rows.npy", "-o", "report.html");
  browser = await openBrowser();
  page = await open(browser, join(folder, "report.html"));
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const last = () => page.evaluate(() => Number(document.getElementById("frame").max));

test("the page has all rows, sends nothing and says nothing", { skip }, async () => {
  assert.equal(await page.ask("rows"), kRows);
  assert.deepEqual(page.trouble, []);
});

test("the slider ends at the tool's map", { skip }, async () => {
  const { data } = readNpy(join(folder, "map.npy"));
  const frame = await last();
  const spread = Math.max(...data) - Math.min(...data);
  for (let row = 0; row < kRows; row += 7) {
    const [x, y] = await page.ask("position", row, frame);
    assert.ok(Math.abs(x - data[2 * row]) < spread / 20000 && Math.abs(y - data[2 * row + 1]) < spread / 20000, `row ${row}`);
  }
});

test("agreement shares are those of the tool's codes", { skip }, async () => {
  const { data, shape } = readNpy(join(folder, "codes.npy"));
  const [rows, clusterings] = shape;
  const sample = await page.ask("sample");
  const byClustering = Array.from({ length: rows * clusterings }, (_, k) => data[(k % rows) * clusterings + Math.floor(k / rows)]);
  for (const row of sample.slice(0, 60).filter((_, k) => k % 9 === 0)) {
    const expected = shares(byClustering, rows, clusterings, row);
    const seen = await page.ask("shares", row);
    sample.forEach((other, place) => assert.ok(Math.abs(seen[place] - expected[other]) < 1e-6, `rows ${row} and ${other}`));
  }
});

test("hovering shows the right row with the tool's label", { skip }, async () => {
  const labels = readNpy(join(folder, "labels.npy")).data;
  const places = await page.evaluate((rows) => Array.from({ length: rows }, (_, row) => window.mbnReport.screen(row)), kRows);
  const apart = places.map(([x, y], row) => Math.min(...places.map(([a, b], other) => (other === row ? Infinity : Math.hypot(a - x, b - y)))));
  const row = apart.indexOf(Math.max(...apart));
  await page.mouse.move(...places[row]);
  assert.equal((await page.ask("state")).hover, row);
  const text = await page.locator("#hover-card").textContent();
  assert.ok(text.includes(`row ${row}`) && text.includes(`cluster${labels[row]}`), text);
});

test("the exported row numbers are the selected ones", { skip }, async () => {
  const labels = readNpy(join(folder, "labels.npy")).data;
  await page.locator(".clusters .name").first().click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save-csv").click()]);
  const saved = readFileSync(await download.path(), "utf8").trim().split("\r\n").slice(1);
  assert.deepEqual(saved.map(Number), await page.ask("selected"));
  assert.ok(new Set(saved.map((row) => labels[Number(row)])).size === 1);
});

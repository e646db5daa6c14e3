// SPDX-License-Identifier: Apache-2.0
//
// What must hold: no request, speed, accessibility, keyboard, a narrow screen, hostile strings.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { hostile, kHostile, many, small } from "./made.mjs";
import { framesPerSecond, load, open, openBrowser, pageFile, Pages } from "./browser.mjs";

let browser, pages, file;
before(async () => {
  browser = await openBrowser({ plain: true });
  pages = new Pages();
  file = pages.write("small", small());
});
after(async () => {
  await browser?.close();
  pages?.remove();
});

test("the file names no address but SVG's name, and is small", () => {
  const text = readFileSync(pageFile, "utf8");
  const addresses = text.match(/\b(?:https?|wss?|ftp):\/\/[^\s"'`<>]*|["'(=]\/\/[\w.]+/g) ?? [];
  assert.deepEqual([...new Set(addresses)].filter((address) => !/^http:\/\/www\.w3\.org\/\d{4}\/\w+$/.test(address)), []);
  for (const mark of ["@MBN_TITLE@", "@MBN_DATA@"]) assert.equal(text.split(mark).length, 2);
  assert.ok(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/.test(text));
  assert.ok(text.length < 120_000, `${text.length} bytes`);
});

test("70,000 points: first frame within 2 s, 30 frames a second", async () => {
  const made = pages.write("many", many(70_000));
  let best = { firstFrame: Infinity, least: 0 };
  // The best of a few tries: other programs of the machine are not what is measured.
  for (let tries = 0; tries < 4 && !(best.firstFrame < 2000 && best.least >= 30); ++tries) {
    const page = await open(browser, made);
    const { decode, firstFrame } = await page.ask("timings");
    const { zoom, pan } = await framesPerSecond(page);
    console.log(`70,000 points, ${await page.ask("renderer")}: unpacked in ${decode.toFixed(0)} ms, first frame after ${firstFrame.toFixed(0)} ms, `
      + `zoom ${zoom.toFixed(0)} and pan ${pan.toFixed(0)} frames/s, ${(statSync(made).size / 1e6).toFixed(2)} MB`);
    best = { firstFrame: Math.min(best.firstFrame, firstFrame), least: Math.max(best.least, Math.min(zoom, pan)) };
    assert.deepEqual(page.trouble, []);
    await page.context().close();
  }
  assert.ok(best.firstFrame < 2000, `first frame after ${best.firstFrame} ms`);
  assert.ok(best.least >= 30, `${best.least} frames/s`);
});

async function seriousFaults(page) {
  await page.evaluate(readFileSync(load.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target + " " + (node.any[0]?.message ?? "")).join(" | ")}`);
}

for (const theme of ["light", "dark"]) {
  for (const [what, fragment] of [["at first", ""], ["with a row, a filter and a cluster", "&row=4&colour=value2&filter=2,-5,5&only=cluster,1&search=item"]]) {
    test(`axe-core finds nothing serious, ${theme}, ${what}`, async () => {
      const page = await open(browser, file, { fragment: `#theme=${theme}${fragment}` });
      await page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
      assert.deepEqual(await seriousFaults(page), []);
      await page.context().close();
    });
  }
}

test("every control can be reached by the keyboard, in an order that makes sense", async () => {
  const page = await open(browser, file, { fragment: "#row=4&only=cluster,1" });
  const all = await page.evaluate(() => {
    document.querySelectorAll("details").forEach((part) => (part.open = true));
    const controls = [...document.querySelectorAll("button, input, select, summary, [tabindex='0']")]
      .filter((control) => control.getClientRects().length && !control.disabled && control.getAttribute("aria-hidden") !== "true");
    controls.forEach((control, k) => (control.dataset.place = String(k)));
    return controls.length;
  });
  const reached = new Set();
  for (let k = 0; k < all + 10; ++k) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => document.activeElement?.dataset.place);
    if (place !== undefined) reached.add(Number(place));
  }
  const left = await page.evaluate((seen) => [...document.querySelectorAll("[data-place]")]
    .filter((control) => !seen.includes(Number(control.dataset.place))).map((control) => control.outerHTML.slice(0, 90)), [...reached]);
  assert.deepEqual(left, []);
  await page.locator("#map").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  const { hover } = await page.ask("state");
  assert.notEqual(hover, null);
  await page.keyboard.press("Enter");
  assert.equal((await page.ask("state")).row, hover);
  assert.ok((await page.locator("#live").textContent()).includes("Chose"));
  await page.context().close();
});

test("a screen of 390 pixels: nothing sticks out, a tap shows the row", async () => {
  const page = await open(browser, file, { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const [x, y] = await page.ask("screen", 9);
  await page.touchscreen.tap(x, y);
  const { row } = await page.ask("state");
  assert.notEqual(row, null);
  assert.ok(await page.locator("#hover-card").isVisible());
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  if (process.env.MBN_SCREENSHOTS) await page.screenshot({ path: join(process.env.MBN_SCREENSHOTS, "phone.png") });
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("hostile strings are shown as text", async () => {
  const made = hostile();
  const page = await open(browser, pages.write("hostile", made), { fragment: "#colour=label" });
  for (let row = 0; row < kHostile.length; ++row) {
    await page.mouse.move(...(await page.ask("screen", row)));
    await page.evaluate((which) => (location.hash = `colour=label&row=${which}`), row);
    await page.waitForFunction((which) => window.mbnReport.state().row === which, row);
  }
  const seen = await page.evaluate(() => ({
    broken: window.broken, scripts: document.querySelectorAll("script").length, images: document.querySelectorAll("img, b").length,
    title: document.title, text: document.body.innerText, longest: Math.max(...[...document.querySelectorAll("bdi")].map((part) => part.textContent.length)),
    wide: document.documentElement.scrollWidth,
  }));
  assert.equal(seen.broken, undefined);
  assert.equal(seen.images, 0);
  assert.equal(seen.scripts, 1);
  assert.ok(seen.title.startsWith("</title></script>"));
  assert.ok(seen.text.includes("<script>window.broken"));
  assert.ok(!seen.text.includes("\0"));
  assert.ok(seen.longest < 200 && seen.wide <= 1280, JSON.stringify([seen.longest, seen.wide]));
  await page.locator("#search").fill("<script>");
  await page.waitForFunction(() => window.mbnReport.state().search === "<script>");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save-csv").click()]);
  const csv = readFileSync(await download.path(), "utf8");
  const rows = await page.ask("selected");
  const quoted = (text) => (/[",\r\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  assert.equal(csv, `id\r\n${rows.map((row) => quoted(made.arrays.ids[row])).join("\r\n")}\r\n`);
  await page.locator("#save-svg").click();
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

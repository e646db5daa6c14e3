// SPDX-License-Identifier: Apache-2.0
//
// Prints sizes, times to the first frame and frames per second:  node tests/page/measure.mjs [ROWS ...]
import { statSync } from "node:fs";
import { many } from "./made.mjs";
import { missing, open, openBrowser, Pages, framesPerSecond } from "./browser.mjs";

const reason = missing();
if (reason) {
  console.log(`skipped: ${reason}`);
  process.exit(0);
}
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [70_000, 1_000_000];
const pages = new Pages();
const browser = await openBrowser();
try {
  for (const rows of sizes) {
    const file = pages.write(`rows-${rows}`, many(rows));
    for (const renderer of ["canvas", "webgl"]) {
      const page = await open(browser, file, { fragment: `#renderer=${renderer}` });
      const { decode, firstFrame } = await page.ask("timings");
      const { zoom, pan } = await framesPerSecond(page);
      const { lastDraw } = await page.ask("draws");
      console.log(`${rows} rows, ${await page.ask("renderer")}: ${(statSync(file).size / 1e6).toFixed(2)} MB, unpacked in `
        + `${decode.toFixed(0)} ms, first frame ${firstFrame.toFixed(0)} ms, zoom ${zoom.toFixed(0)} and pan ${pan.toFixed(0)} frames/s, `
        + `a draw takes ${lastDraw.toFixed(1)} ms`);
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  pages.remove();
}

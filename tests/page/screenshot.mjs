// SPDX-License-Identifier: Apache-2.0
//
// A picture of a page:  node tests/page/screenshot.mjs PAGE.html PICTURE.png [FRAGMENT] [WIDTHxHEIGHT]
// FRAGMENT is the state, as in the address: "colour=label&theme=dark", "row=120".
import { resolve } from "node:path";
import { missing, open, openBrowser } from "./browser.mjs";

const [page, picture, fragment = "", size = "1400x880"] = process.argv.slice(2);
const reason = picture ? missing() : "two files are needed, the page and the picture";
if (reason) {
  console.error(reason);
  process.exit(1);
}
const [width, height] = size.split("x").map(Number);
const browser = await openBrowser();
try {
  const shown = await open(browser, resolve(page), { fragment: fragment && `#${fragment}`, width, height, colorScheme: "light",
                                                       deviceScaleFactor: 1.5 });
  await shown.waitForTimeout(1000);
  await shown.screenshot({ path: picture });
} finally {
  await browser.close();
}

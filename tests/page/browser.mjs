// SPDX-License-Identifier: Apache-2.0
//
// Debian's Chromium, driven by playwright-core, with made pages in a folder of their own.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fillPage } from "./payload.mjs";

const kWeb = fileURLToPath(new URL("../../web/", import.meta.url));
const kFlags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync"];

/// Packages are beside the page's sources, or where the build installed them.
export const load = createRequire(`${process.env.MBN_NODE_MODULES ?? join(kWeb, "node_modules")}/`);
export const pageFile = process.env.MBN_PAGE_FILE ?? join(kWeb, "page.html");
const browserFile = process.env.MBN_CHROMIUM ?? "/usr/bin/chromium";

/// Why there is nothing to test here, or null.
export function missing() {
  if (!existsSync(pageFile)) return `no page: ${pageFile} is not there; npm run build in web/ makes it`;
  if (!existsSync(browserFile)) return "no Chromium: tools/install-packages.sh browser installs it";
  try {
    load.resolve("playwright-core");
  } catch {
    return "no playwright-core: npm ci in web/ installs it";
  }
  return null;
}

/// `plain`: as people start it, without the flag by which playwright allows WebGL in software.
export async function openBrowser({ plain = false } = {}) {
  const { chromium } = load("playwright-core");
  return chromium.launch({ executablePath: browserFile, args: kFlags, ignoreDefaultArgs: plain ? ["--enable-unsafe-swiftshader"] : [] });
}

/// A folder for pages, taken away at the end.
export class Pages {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "mbn-page-"));
    this.template = readFileSync(pageFile, "utf8");
  }

  write(name, { header, arrays }) {
    const file = join(this.folder, `${name}.html`);
    writeFileSync(file, fillPage(this.template, header, arrays));
    return file;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/// A new tab with a page in it. `page.trouble` lists every request, console message and error. `first` runs
/// in the tab before the page's own script.
export async function open(browser, file, { fragment = "", width = 1280, height = 800, first = null, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  if (first) await page.addInitScript(first);
  page.trouble = [];
  page.on("console", (message) => page.trouble.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.trouble.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.trouble.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href + fragment);
  await page.waitForFunction(() => window.mbnReport !== undefined);
  page.ask = (name, ...given) => page.evaluate(([what, list]) => {
    const answer = window.mbnReport[what];
    return typeof answer === "function" ? answer(...list) : answer;
  }, [name, given]);
  return page;
}

/// Frames per second while the map is zoomed and moved.
export async function framesPerSecond(page, seconds = 1.5) {
  const count = (kind) => page.evaluate(([time, what]) => new Promise((done) => {
    const host = document.getElementById("map");
    const { left, top, width, height } = host.getBoundingClientRect();
    const middle = { clientX: left + width / 2, clientY: top + height / 2, cancelable: true, bubbles: true };
    const begin = performance.now();
    const before = window.mbnReport.draws().draws;
    let step = 0;
    // One event per frame: the map is drawn anew in each.
    const tick = () => {
      const now = performance.now();
      if (now - begin > time) return done(((window.mbnReport.draws().draws - before) / (now - begin)) * 1000);
      const back = ++step % 40 < 20;
      if (what === "zoom") host.dispatchEvent(new WheelEvent("wheel", { ...middle, deltaY: back ? -24 : 24 }));
      else host.dispatchEvent(new KeyboardEvent("keydown", { key: back ? "ArrowLeft" : "ArrowRight" }));
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }), [seconds * 1000, kind]);
  return { zoom: await count("zoom"), pan: await count("pan") };
}

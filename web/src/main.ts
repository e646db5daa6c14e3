// SPDX-License-Identifier: Apache-2.0
//
// Unpacks the data and puts the page together.
import { App } from "./app";
import { decode } from "./decode";
import { fromFragment } from "./fragment";
import { makeHook } from "./hook";
import { Report } from "./report";
import { byId, count, cut, rowsText } from "./ui/dom";
import { startGestures } from "./ui/gestures";
import { startHoverCard, startMapNote } from "./ui/hover_card";
import { startFragment } from "./ui/keep_fragment";
import { startKeyboard } from "./ui/keyboard";
import { MapView } from "./ui/map_view";
import { startAbout } from "./ui/panel_about";
import { startClusters } from "./ui/panel_clusters";
import { startColour } from "./ui/panel_colour";
import { startLayers } from "./ui/panel_layers";
import { startRowPanel } from "./ui/panel_row";
import { startSelection } from "./ui/panel_selection";
import { startSlider } from "./ui/slider";
import { startTheme, startToolbar } from "./ui/toolbar";

async function start(): Promise<void> {
  const begin = performance.now();
  const data = byId("mbn-data");
  const base64 = data.textContent ?? "";
  if (!base64.trim() || base64.startsWith("@")) throw new Error("This page has no data. `mbn report` writes pages that have.");
  const report = new Report(await decode(base64));
  data.remove();  // the text is unpacked: let the browser forget it
  const decoded = performance.now();

  const app = new App(report);
  startFragment(app);
  startTheme(app);
  introduce(report);
  const view = new MapView(app, byId("map"), fromFragment(location.hash).renderer);
  byId("trouble").remove();
  startSlider(app);
  startGestures(app, view);
  startKeyboard(app, view);
  startToolbar(app, view);
  startHoverCard(app);
  startMapNote(app);
  await painted();  // the map first: panels of many rows take a moment
  const timings = { decode: decoded - begin, firstFrame: performance.now() };
  startRowPanel(app);
  startColour(app);
  startSelection(app);
  startClusters(app);
  startLayers(app);
  startAbout(app);
  await painted();
  Object.defineProperty(window, "mbnReport", { value: makeHook(app, view, timings) });
}

/// When what was drawn so far is on the screen. A page in the background is not painted: then soon.
function painted(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 500);
  });
}

function introduce(report: Report): void {
  const { title, columns } = report.header;
  byId("title").textContent = cut(title, 120) || "Map";
  const size = columns ? `${rowsText(report.rows)} × ${count(columns)} columns` : rowsText(report.rows);
  const agree = report.codes ? "; click or tap it to see who agrees with it" : "";
  byId("intro").textContent = `${size}. Every point is a row, and rows that are alike lie together. Point at one to see it${agree}.`;
}

start().catch((error: unknown) => {
  const box = byId("trouble");
  box.classList.add("failed");
  box.textContent = error instanceof Error ? error.message : String(error);
});

// SPDX-License-Identifier: Apache-2.0
//
// Where the page comes from: scores, warnings, and all that is needed to make it again.
import type { App } from "../app";
import { byId, cut, el, heading } from "./dom";

const kKeys: [string, string][] = [
  ["drag, arrow keys", "move the map"], ["wheel, pinch, + and −", "zoom"], ["0", "the whole map"],
  ["click, Enter", "choose a row: who agrees with it?"], ["N, P", "next or previous row near the middle"],
  ["M, L, B", "move, lasso, box"], ["Shift, Alt", "a shape adds or takes away"], ["Escape", "let go"],
];

export function startAbout(app: App): void {
  const { warnings, scores, provenance } = app.report.header;
  const panel = byId("panel-about");
  if (warnings.length) {
    panel.append(el("h2", {}, "To keep in mind"),
      el("ul", { class: "warnings" }, ...warnings.map((warning) => el("li", { dir: "auto" }, cut(warning, 400)))));
  }
  if (scores.length) panel.append(...heading("Scores", "Against the known labels, which the network never saw."), pairs(scores));
  panel.append(el("details", {}, el("summary", {}, "Keys"), pairs(kKeys)));
  if (provenance.length) {
    panel.append(...heading("How this page was made", "With the same data, command and seed it comes out the same."), pairs(provenance));
  }
  panel.append(el("p", { class: "small" }, "One file, no request: what you see stays on this machine."));
}

function pairs(list: [string, string][]): HTMLElement {
  return el("dl", { class: "pairs" }, ...list.flatMap(([name, value]) => [
    el("dt", { dir: "auto" }, cut(name, 60)), el("dd", { dir: "auto" }, cut(value, 1000))]));
}

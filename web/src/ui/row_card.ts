// SPDX-License-Identifier: Apache-2.0
//
// What is known of a row, as a card: beside the pointer, and larger in the panel.
import type { App } from "../app";
import { css } from "../colours";
import { groupColour } from "../colour_modes";
import { kNoLabel } from "../format";
import { cut, decimal, el, percent, words } from "./dom";
import { pictureOf } from "./picture";

export interface CardForm {
  text: number;       // letters of the text that are shown
  columns: number;    // columns that stand out
}

export function rowCard(app: App, row: number, form: CardForm): HTMLElement {
  const { report } = app;
  const text = report.text(row);
  return el("div", { class: "card" },
    el("div", { class: "card-head" },
      pictureOf(report, row, "large"),
      el("div", { class: "card-names" },
        el("p", { class: "card-id" }, words(report.name(row), 60)),
        report.id(row) === null ? null : el("p", { class: "small" }, `row ${row}`),
        facts(app, row))),
    text === null ? null : el("p", { class: "card-text", dir: "auto" }, cut(text, form.text)),
    standouts(app, row, form.columns));
}

function facts(app: App, row: number): HTMLElement {
  const { report, theme } = app;
  const list = el("dl", { class: "facts" });
  const add = (name: string, content: Node | string) => list.append(el("dt", {}, name), el("dd", {}, content));
  const cluster = report.clusters?.[row] ?? kNoLabel;
  if (cluster !== kNoLabel) add("cluster", el("span", {}, swatch(css(groupColour(cluster, report, theme))), String(cluster)));
  const label = report.label(row);
  if (label !== null) add(cut(report.header.label?.name || "label", 24), words(label, 40));
  for (const kind of ["confidence", "outlier"] as const) {
    const which = report.valueOfKind(kind);
    if (which < 0) continue;
    const number = report.value(which, row);
    add(cut(report.header.values[which]!.name, 24), kind === "confidence" ? percent(number) : decimal(number));
  }
  return list;
}

export function swatch(colour: string): HTMLElement {
  const spot = el("span", { class: "swatch", "aria-hidden": "true" });
  spot.style.background = colour;
  return spot;
}

/// Bars to the left of the middle are below the mean, to the right above it; their ends are 4 deviations.
function standouts(app: App, row: number, most: number): HTMLElement | null {
  const list = app.columns.standouts(row, most);
  if (list.length === 0) return null;
  const table = el("table", { class: "standouts" }, el("caption", {}, "What stands out, in standard deviations from the mean"));
  for (const { name, value, deviations } of list) {
    const bar = el("span", { class: `bar ${deviations < 0 ? "below" : "above"}` });
    bar.style.width = `${Math.min(50, (Math.abs(deviations) / 4) * 50)}%`;
    const far = Math.abs(deviations).toFixed(1);
    const sign = far === "0.0" ? "" : deviations > 0 ? "+" : "−";
    table.append(el("tr", {},
      el("th", { scope: "row" }, words(name, 28)),
      el("td", { class: "number" }, decimal(value)),
      el("td", { class: "meter" }, bar),
      el("td", { class: "number" }, `${sign}${far}`)));
  }
  return table;
}

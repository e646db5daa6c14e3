// SPDX-License-Identifier: Apache-2.0
//
// What the colours mean: names that can be clicked, or a scale with numbers.
import type { App } from "../app";
import { css, scaleOf } from "../colours";
import { groupColour, groupName, groupSizes } from "../colour_modes";
import { kNoLabel } from "../format";
import { count, decimal, el, words } from "./dom";
import { swatch } from "./row_card";

const kMostNames = 60;

export function scaleBar(app: App, low: string, high: string, name: string): HTMLElement {
  const scale = scaleOf(app.report.header.scale, app.theme);
  const bar = el("div", { class: "scale-bar" });
  const stops = [0, 32, 64, 96, 128, 160, 192, 224, 255].map((step) => css(scale[step]!));
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return el("div", { class: "scale", role: "img", "aria-label": `Colour scale: ${name}, from ${low} to ${high}` },
    bar, el("div", { class: "scale-ends" }, el("span", {}, low), el("span", { class: "small" }, name), el("span", {}, high)));
}

export function legend(app: App): HTMLElement | null {
  const { mode } = app.state;
  if (mode.by === "none") return null;
  if (mode.by !== "value") return names(app, mode.by);
  const { low, high, mean, shownLow, shownHigh } = app.columns.summary(mode.which);
  return scaleBar(app, `${shownLow > low ? "≤ " : ""}${decimal(shownLow)}`,
                  `${shownHigh < high ? "≥ " : ""}${decimal(shownHigh)}`, `mean ${decimal(mean)}`);
}

function names(app: App, by: "cluster" | "label"): HTMLElement {
  const sizes = groupSizes(by, app.report);
  const order = [...sizes.keys()].filter((which) => sizes[which]! > 0);
  if (order.length > kMostNames) order.sort((a, b) => sizes[b]! - sizes[a]!);
  const list = el("ul", { class: "legend", "aria-label": `Colours of each ${by}` });
  for (const which of order.slice(0, kMostNames)) {
    const isolated = app.state.isolated?.by === by && app.state.isolated.which === which;
    list.append(el("li", {}, el("button", {
      type: "button", "aria-pressed": isolated ? "true" : "false", title: "Show only these rows",
      click: () => app.set({ isolated: isolated ? null : { by, which } }),
    }, swatch(css(groupColour(which, app.report, app.theme))), words(groupName(by, which, app.report), 24),
       el("span", { class: "small" }, count(sizes[which]!)))));
  }
  if (order.length > kMostNames) list.append(el("li", { class: "small" }, `and ${count(order.length - kMostNames)} smaller ones`));
  const numbers = by === "cluster" ? app.report.clusters : app.report.labels;
  if (numbers?.includes(kNoLabel)) list.append(el("li", { class: "none" }, swatch(css(app.theme.none)), `no ${by}`));
  return list;
}

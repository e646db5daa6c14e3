// SPDX-License-Identifier: Apache-2.0
//
// What points are coloured by, and the histogram whose brush filters them.
import type { App } from "../app";
import { modeName, modeOf } from "../colour_modes";
import { byId, cut, el, heading } from "./dom";
import { startHistogram } from "./histogram";
import { legend } from "./legend";

export function startColour(app: App): void {
  const panel = byId("panel-colour");
  const choice = el("select", { id: "colour-by", change: () => {
    const mode = modeOf(choice.value, app.report);
    if (mode) app.set({ mode, row: null });
  } });
  choice.append(...options(app));
  const key = el("div", { id: "legend" });
  panel.append(...heading("Colour", "What the colour of a point says. Click a name to see only its rows."),
    el("div", { class: "field" }, el("label", { for: "colour-by" }, "Colour by"), choice), key);
  const show = () => {
    choice.value = modeName(app.state.mode);
    const made = legend(app);
    const focused = [...key.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    key.replaceChildren(...(made ? [made] : []));
    if (focused >= 0) key.querySelectorAll("button")[focused]?.focus();
  };
  app.on(["mode", "dark", "isolated"], show);
  show();
  if (app.report.header.values.length) startHistogram(app, panel);
}

function options(app: App): HTMLElement[] {
  const { report } = app;
  const { values, label } = report.header;
  const plain: HTMLElement[] = [];
  if (report.clusters) plain.push(el("option", { value: "cluster" }, "cluster"));
  if (report.labels) plain.push(el("option", { value: "label" }, cut(label?.name || "label", 60)));
  const columns = el("optgroup", { label: "columns" });
  values.forEach((value, which) => {
    const option = el("option", { value: `value${which}` }, cut(value.name, 60));
    if (value.kind === "column") columns.append(option);
    else plain.push(option);
  });
  if (columns.childElementCount) plain.push(columns);
  plain.push(el("option", { value: "none" }, "nothing"));
  return plain;
}

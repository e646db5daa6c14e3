// SPDX-License-Identifier: Apache-2.0
//
// The chosen row, and who agrees with it.
import type { App } from "../app";
import { byId, count, cut, el, heading, percent, rowsText, say, words } from "./dom";
import { scaleBar } from "./legend";
import { pictureOf } from "./picture";
import { rowCard } from "./row_card";

export function startRowPanel(app: App): void {
  const panel = byId("panel-row");
  const show = () => {
    const { row } = app.state;
    const focused = panel.contains(document.activeElement);
    panel.hidden = row === null;
    panel.replaceChildren();
    if (row === null) {
      if (focused) byId("map").focus();
      return;
    }
    panel.append(
      el("div", { class: "panel-line" }, el("h2", {}, "The chosen row"),
        el("button", { type: "button", class: "quiet", "aria-label": "Let go of the row", title: "Let go (Escape)",
                       click: () => app.set({ row: null }) }, "✕")),
      rowCard(app, row, { text: 1200, columns: 8 }),
      ...agreement(app));
    if (focused) panel.querySelector("button")?.focus();
  };
  app.on(["row", "dark"], show);
  app.on(["row"], () => {
    if (app.state.row === null) return;
    byId("panels").scrollTop = 0;
    say(`Chose ${cut(app.report.name(app.state.row), 60)}. ${app.agreement ? `${app.agreement.nearest.length} rows that agree most are listed.` : ""}`);
  });
  show();
}

function agreement(app: App): HTMLElement[] {
  const { agreement: found, report } = app;
  if (!found || !report.header.codes) return [];
  const { clusterings, layer } = report.header.codes;
  const [title, explanation] = heading("Who agrees with it?",
    `The share of the ${count(clusterings)} clusterings of layer ${layer} that put another row into the same group as this one. `
    + "This is what the network knows and a distance does not.");
  title!.className = "lesser";
  const standIn = found.standIn === found.row ? null : el("p", { class: "remark" },
    "This row is not among those whose codes are kept. Shown is the nearest one on the map, ",
    words(report.name(found.standIn), 40), ".");
  return [title!, explanation!, ...(standIn ? [standIn] : []), scaleBar(app, "0 %", "100 %", "share of clusterings in common"), list(app)];
}

function list(app: App): HTMLElement {
  const { agreement: found, report } = app;
  if (found!.nearest.length === 0) return el("p", { class: "remark" }, "No other row has a code in common with it.");
  const items = found!.nearest.map((place) => {
    const row = report.sample![place]!;
    const share = found!.shares[place]!;
    const text = report.text(row);
    const bar = el("span", { class: "share", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(share));
    return el("li", {}, el("button", { type: "button", class: "neighbour", click: () => app.set({ row }) },
      pictureOf(report, row, "small"),
      el("span", { class: "neighbour-names" }, words(report.name(row), 40),
        text === null ? null : el("span", { class: "small", dir: "auto" }, cut(text, 90)),
        labelLine(app, row)),
      el("span", { class: "neighbour-share" }, el("span", {}, percent(share)), bar)));
  });
  return el("ol", { class: `neighbours ${report.header.pictures ? "pictured" : ""}`, "aria-label": `The ${rowsText(items.length)} that agree most` }, ...items);
}

function labelLine(app: App, row: number): HTMLElement | null {
  const label = app.report.label(row);
  if (label !== null) return words(label, 24, "small");
  const cluster = app.report.clusters?.[row];
  return cluster === undefined ? null : el("span", { class: "small" }, `cluster ${cluster}`);
}

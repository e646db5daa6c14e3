// SPDX-License-Identifier: Apache-2.0
//
// Search, what restricts the rows just now, their counts by cluster, and their ids as a file.
import type { App } from "../app";
import { css } from "../colours";
import { groupColour, groupName, groupSizes } from "../colour_modes";
import { idsAsCsv } from "../csv";
import { rowsOf } from "../selection";
import { byId, count, cut, decimal, download, el, fileName, heading, percent, rowsText, say, words } from "./dom";
import { swatch } from "./row_card";

const kWait = 160;
const kMostCounts = 12;

export function startSelection(app: App): void {
  const panel = byId("panel-selection");
  const { ids, texts } = app.report.header;
  const kinds = ["row number", ...(ids ? ["id"] : []), ...(texts ? ["text"] : [])];
  const box = el("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false",
                            placeholder: kinds.join(", ").replace(/, ([^,]*)$/, " or $1") });
  const results = el("div", { id: "results" });
  const summary = el("div", { id: "selected" });
  panel.append(...heading("Find and select", "Search, or draw around points with the lasso or the box over the map. All other rows turn grey."),
    el("div", { class: "field" }, el("label", { for: "search" }, "Search"), box), results, summary);

  let timer = 0;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => app.set({ search: box.value }), kWait);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    clearTimeout(timer);
    app.set({ search: box.value });
    const first = app.found?.first[0];
    if (first !== undefined) app.set({ row: first });
  });
  const showFound = () => {
    if (box.value !== app.state.search) box.value = app.state.search;
    results.replaceChildren(...showResults(app));
  };
  app.on(["search"], showFound);
  showFound();
  const show = () => {
    const focused = summary.contains(document.activeElement);
    summary.replaceChildren(...showSummary(app));
    if (focused) (summary.querySelector("button") ?? box).focus();
  };
  app.on(["lit", "dark"], show);
  show();
}

function showResults(app: App): HTMLElement[] {
  const { found } = app;
  if (!found) return [];
  if (found.count === 0) {
    say("No row matches");
    return [el("p", { class: "remark" }, "No row matches.")];
  }
  say(`${rowsText(found.count)} found`);
  const items = found.first.slice(0, 8).map((row) => {
    const text = app.report.text(row);
    return el("li", {}, el("button", { type: "button", class: "result", click: () => app.set({ row }) },
      words(app.report.name(row), 40), text === null ? null : el("span", { class: "small", dir: "auto" }, cut(text, 80))));
  });
  const more = found.count - items.length;
  return [el("ul", { class: "results", "aria-label": "Rows found" }, ...items),
          ...(more > 0 ? [el("p", { class: "small" }, `and ${count(more)} more`)] : [])];
}

function showSummary(app: App): HTMLElement[] {
  if (!app.lit) return [];
  const { report } = app;
  const rows = app.litCount;
  const buttons = el("div", { class: "actions" },
    el("button", { type: "button", id: "save-csv", disabled: rows === 0, click: () => saveIds(app) },
      report.header.ids ? "Save their ids (CSV)" : "Save their row numbers (CSV)"),
    el("button", { type: "button", class: "quiet", click: () => clearAll(app) }, "Clear"));
  return [el("p", { class: "selected-count" }, el("strong", {}, rowsText(rows)), ` of ${count(report.rows)} selected`),
          chips(app), ...(report.clusters ? [counts(app)] : []), buttons];
}

function clearAll(app: App): void {
  app.set({ isolated: null, filter: null, search: "", drawn: null });
  say("All rows are shown");
}

/// One button for each thing that restricts the rows; a click takes it away.
function chips(app: App): HTMLElement {
  const { isolated, filter, search, drawn } = app.state;
  const list = el("ul", { class: "chips", "aria-label": "Why these rows" });
  const add = (text: string, clear: () => void) => list.append(el("li", {}, el("button", {
    type: "button", title: "Take this away", click: clear }, words(text, 48), el("span", { "aria-hidden": "true" }, " ✕"))));
  if (isolated) add(`only ${groupName(isolated.by, isolated.which, app.report)}`, () => app.set({ isolated: null }));
  if (filter) {
    const name = app.report.header.values[filter.which]?.name ?? "";
    add(`${cut(name, 24)} ${decimal(filter.low)} to ${decimal(filter.high)}`, () => app.set({ filter: null }));
  }
  if (search.trim()) add(`found by “${cut(search, 24)}”`, () => app.set({ search: "" }));
  if (drawn) add("within the drawn shapes", () => app.set({ drawn: null }));
  return list;
}

function counts(app: App): HTMLElement {
  const { report } = app;
  const sizes = groupSizes("cluster", report, app.lit);
  const order = [...sizes.keys()].filter((which) => sizes[which]! > 0).sort((a, b) => sizes[b]! - sizes[a]!);
  const table = el("table", { class: "counts" }, el("caption", { class: "small" }, "Selected rows by cluster"));
  for (const which of order.slice(0, kMostCounts)) {
    const bar = el("span", { class: "share" });
    bar.style.setProperty("--share", String(sizes[which]! / Math.max(1, app.litCount)));
    table.append(el("tr", {},
      el("th", { scope: "row" }, swatch(css(groupColour(which, report, app.theme))), `cluster ${which}`),
      el("td", { class: "number" }, count(sizes[which]!)), el("td", { class: "wide" }, bar),
      el("td", { class: "number" }, percent(sizes[which]! / Math.max(1, app.litCount)))));
  }
  if (order.length > kMostCounts) table.append(el("tr", {}, el("td", { class: "small", colspan: 4 }, `and ${order.length - kMostCounts} more clusters`)));
  return table;
}

function saveIds(app: App): void {
  const { report } = app;
  const rows = rowsOf(app.lit!);
  const csv = idsAsCsv(report.header.ids ? "id" : "row", rows.map((row) => report.id(row) ?? String(row)));
  download(fileName(report.header.title, "-selected.csv"), new Blob([csv], { type: "text/csv;charset=utf-8" }));
  say(`Saved ${rowsText(rows.length)}`);
}

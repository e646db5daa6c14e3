// SPDX-License-Identifier: Apache-2.0
//
// The clusters: how large, how sure, what sets each apart, and the rows that are most like it.
import type { App } from "../app";
import { css } from "../colours";
import { groupColour, groupSizes } from "../colour_modes";
import type { Cluster, Mark } from "../format";
import { byId, count, cut, decimal, el, heading, percent, say, words } from "./dom";
import { pictureOf } from "./picture";
import { swatch } from "./row_card";

const kMostRows = 60;
const kExemplars = 8;
const kMostCells = 4_000_000;   // of a table of clusters by labels
type Order = "number" | "rows" | "confidence";

export function startClusters(app: App): void {
  const panel = byId("panel-clusters");
  const { report } = app;
  if (!report.clusters) return;
  const sizes = groupSizes("cluster", report);
  const clusters: Cluster[] = Array.from(sizes, (rows, which) =>
    report.header.clusters[which] ?? { rows, confidence: null, sentence: null, marks: [], exemplars: [] });
  const labels = majorities(app, clusters.length);
  let order: Order = "number";
  let all = false;
  const body = el("div");
  const confident = clusters.some((cluster) => cluster.confidence !== null);
  panel.append(...heading(`${count(clusters.length)} clusters`,
    `Groups that the network found without being told.${confident ? " Confidence is how much of the network agrees, on average." : ""} Click one to see it alone.`),
    ...choice(app), body);

  const show = () => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset["key"];
    const list = sorted(clusters, order);
    const table = el("table", { class: "clusters" }, head(order, confident, (by) => {
      order = by;
      show();
    }), ...list.slice(0, all ? list.length : kMostRows).map((which) => clusterRows(app, which, clusters[which]!, labels[which] ?? null, confident)));
    body.replaceChildren(table);
    if (!all && list.length > kMostRows) {
      body.append(el("button", { type: "button", class: "quiet", click: () => {
        all = true;
        show();
      } }, `Show all ${count(list.length)}`));
    }
    if (focused) body.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
  };
  app.on(["isolated", "dark"], show);
  show();
}

function sorted(clusters: Cluster[], order: Order): number[] {
  const list = [...clusters.keys()];
  if (order === "rows") list.sort((a, b) => clusters[b]!.rows - clusters[a]!.rows);
  if (order === "confidence") list.sort((a, b) => (clusters[b]!.confidence ?? -1) - (clusters[a]!.confidence ?? -1));
  return list;
}

function head(order: Order, confident: boolean, sort: (by: Order) => void): HTMLElement {
  const column = (by: Order, name: string) => el("th", { scope: "col", class: by === "number" ? null : "number",
    "aria-sort": order === by ? (by === "number" ? "ascending" : "descending") : null },
    el("button", { type: "button", class: "sort", "data-key": `sort-${by}`, click: () => sort(by) }, name));
  return el("thead", {}, el("tr", {}, column("number", "cluster"), column("rows", "rows"),
    confident ? column("confidence", "confidence") : null));
}

function clusterRows(app: App, which: number, cluster: Cluster, majority: Majority, confident: boolean): HTMLElement {
  const { isolated } = app.state;
  const alone = isolated?.by === "cluster" && isolated.which === which;
  const body = el("tbody", { class: alone ? "here" : null }, el("tr", {},
    el("th", { scope: "row" }, el("button", {
      type: "button", class: "name", "data-key": `cluster-${which}`, "aria-pressed": alone ? "true" : "false",
      click: () => {
        app.set({ isolated: alone ? null : { by: "cluster", which } });
        say(alone ? "All clusters are shown" : `Only cluster ${which} is shown`);
      },
    }, swatch(css(groupColour(which, app.report, app.theme))), `cluster ${which}`)),
    el("td", { class: "number" }, count(cluster.rows)),
    confident ? el("td", { class: "number" }, cluster.confidence === null ? "–" : percent(cluster.confidence)) : null));
  const more = [mostly(majority), describe(cluster), exemplars(app, which, cluster)].filter((part) => part !== null);
  if (more.length) body.append(el("tr", {}, el("td", { colspan: confident ? 3 : 2, class: "about" }, ...more)));
  return body;
}

type Majority = { label: string; share: number } | null;

/// The commonest label of each cluster, where rows have labels.
function majorities(app: App, clusters: number): Majority[] {
  const { labels, clusters: numbers, header } = app.report;
  const names = header.label?.names ?? [];
  if (!labels || !numbers || names.length === 0 || clusters * names.length > kMostCells) return [];
  const counts = new Uint32Array(clusters * names.length);
  for (let row = 0; row < labels.length; ++row) {
    if (labels[row]! < names.length && numbers[row]! < clusters) counts[numbers[row]! * names.length + labels[row]!]!++;
  }
  return Array.from({ length: clusters }, (_, which) => {
    const own = counts.subarray(which * names.length, (which + 1) * names.length);
    const rows = own.reduce((sum, number) => sum + number, 0);
    const most = own.reduce((best, number, k) => (number > own[best]! ? k : best), 0);
    return rows ? { label: names[most]!, share: own[most]! / rows } : null;
  });
}

function mostly(majority: Majority): HTMLElement | null {
  return majority && el("p", {}, "mostly ", words(majority.label, 32), ` (${percent(majority.share)})`);
}

function describe(cluster: Cluster): HTMLElement | null {
  if (cluster.sentence) return el("p", { dir: "auto" }, cut(cluster.sentence, 240));
  if (cluster.marks.length === 0) return null;
  return el("ul", { class: "marks", "aria-label": "What sets it apart" }, ...cluster.marks.slice(0, 4).map((mark) => markItem(mark)));
}

function markItem(mark: Mark): HTMLElement {
  return el("li", { title: `${decimal(mark.inside)} inside, ${decimal(mark.outside)} outside` },
    words(mark.column, 28), ` ${mark.effect < 0 ? "low" : "high"}`);
}

function exemplars(app: App, which: number, cluster: Cluster): HTMLElement | null {
  if (cluster.exemplars.length === 0) return null;
  const { report } = app;
  const list = el("ul", { class: "exemplars", "aria-label": `Rows most like cluster ${which}` });
  const pictured = cluster.exemplars.filter((row) => report.picture(row));
  const rows = pictured.length ? pictured.slice(0, kExemplars) : cluster.exemplars.slice(0, 3);
  for (const row of rows) {
    const text = report.text(row);
    const content = pictureOf(report, row, "small") ?? words(text ?? report.name(row), text === null ? 24 : 70);
    list.append(el("li", {}, el("button", { type: "button", class: "exemplar", title: cut(report.name(row), 60),
                                            click: () => app.set({ row }) }, content)));
  }
  return list;
}

/// How the number of clusters was chosen, with the stability of each number that was tried.
function choice(app: App): HTMLElement[] {
  const found = app.report.header.choice;
  if (!found) return [];
  const table = el("table", { class: "counts" }, el("caption", { class: "small" }, "Numbers of clusters that were tried, and how stable each was"));
  for (const { clusters, stability, chosen } of found.counts) {
    const bar = el("span", { class: "share" });
    bar.style.setProperty("--share", String(Math.max(0, Math.min(1, stability))));
    table.append(el("tr", { class: chosen ? "here" : null }, el("th", { scope: "row" }, `${count(clusters)} clusters`),
      el("td", { class: "wide" }, bar), el("td", { class: "number" }, stability.toFixed(2)), el("td", { class: "small" }, chosen ? "chosen" : "")));
  }
  return [el("details", {}, el("summary", {}, "Why this many?"), el("p", { class: "explain", dir: "auto" }, cut(found.text, 600)),
             ...(found.counts.length ? [table] : []))];
}

// SPDX-License-Identifier: Apache-2.0
//
// The schedule: what each layer of the network did.
import type { App } from "../app";
import type { Layer } from "../format";
import { byId, count, decimal, el, heading } from "./dom";

export function layerText(layer: Layer): string {
  const parts = [`each clustering draws ${count(layer.centroids)} rows`];
  if (layer.distinct_codes !== null) parts.push(`${count(layer.distinct_codes)} different codes`);
  if (layer.error_ratio !== null) parts.push(`error ratio ${layer.error_ratio.toFixed(2)}`);
  return parts.join(", ");
}

const kColumns: [keyof Layer, string, string][] = [
  ["centroids", "drawn", "Rows that each clustering draws at random; every row joins the drawn row nearest to it. Fewer rows, larger groups."],
  ["distinct_codes", "codes", "How many different answers the rows still get. They fall from layer to layer as likes become equal."],
  ["error_ratio", "error", "Error of all clusterings together by that of one alone (Theorem 1 of the paper). Below 1, together they know more."],
  ["seconds", "seconds", "Time that the layer took."],
];

export function startLayers(app: App): void {
  const panel = byId("panel-layers");
  const { layers, frames, codes } = app.report.header;
  if (layers.length === 0) return;
  const columns = kColumns.filter(([key]) => layers.some((layer) => layer[key] !== null && layer[key] !== undefined));
  const explained = codes
    ? `The network groups the rows ${count(codes.clusterings)} times over, at random, and again on the answers of the layer below, ever more coarsely.`
    : "The network groups the rows many times over, at random, and again on the answers of the layer below, ever more coarsely.";
  const rows = layers.map((layer) => el("tr", {},
    el("th", { scope: "row" }, String(layer.layer)),
    ...columns.map(([key]) => el("td", { class: "number" }, cell(key, layer[key])))));
  panel.append(...heading("What the network did", explained),
    el("table", { class: "plain" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "layer"),
        ...columns.map(([, name]) => el("th", { scope: "col", class: "number" }, name)))),
      el("tbody", {}, ...rows)),
    el("dl", { class: "glossary" }, ...columns.flatMap(([, name, meaning]) => [el("dt", {}, name), el("dd", {}, meaning)])));

  const show = () => {
    const here = frames[Math.round(app.state.frame)]?.layer;
    rows.forEach((row, k) => {
      row.classList.toggle("here", layers[k]!.layer === here);
      if (layers[k]!.layer === here) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  };
  app.on(["frame"], show);
  show();
}

function cell(key: keyof Layer, number: number | null): string {
  if (number === null || number === undefined) return "–";
  if (key === "seconds") return number.toFixed(number < 10 ? 2 : 0);
  return key === "error_ratio" ? number.toFixed(3) : Number.isInteger(number) ? count(number) : decimal(number);
}

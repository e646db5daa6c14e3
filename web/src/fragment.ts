// SPDX-License-Identifier: Apache-2.0
//
// The state of the page in the address's fragment, so that a view can be kept as a bookmark.
import type { View } from "./camera";
import { clampView, kWhole } from "./camera";
import type { Filter } from "./selection";

export interface Kept {
  view: View;
  colour: string | null;          // name of a colour mode
  frame: number | null;
  isolated: { by: "cluster" | "label"; which: number } | null;
  row: number | null;
  filter: Filter | null;
  search: string;
  theme: "light" | "dark" | null;
  renderer: string | null;
}

export const kNothing: Kept = {
  view: kWhole, colour: null, frame: null, isolated: null, row: null, filter: null, search: "", theme: null, renderer: null,
};

const short = (number: number) => String(Number(number.toPrecision(5)));

export function toFragment(kept: Kept): string {
  const fields = new URLSearchParams();
  const { view } = kept;
  if (view.zoom !== 1 || view.x !== 0 || view.y !== 0) {
    fields.set("view", [view.x.toFixed(5), view.y.toFixed(5), short(view.zoom)].join(","));
  }
  if (kept.colour !== null) fields.set("colour", kept.colour);
  if (kept.frame !== null) fields.set("frame", String(kept.frame));
  if (kept.isolated) fields.set("only", `${kept.isolated.by},${kept.isolated.which}`);
  if (kept.row !== null) fields.set("row", String(kept.row));
  if (kept.filter) fields.set("filter", [kept.filter.which, kept.filter.low, kept.filter.high].join(","));
  if (kept.search) fields.set("search", kept.search);
  if (kept.theme) fields.set("theme", kept.theme);
  if (kept.renderer) fields.set("renderer", kept.renderer);
  return fields.toString().replaceAll("%2C", ",");
}

/// Whatever cannot be read is left out: a fragment can be typed by anybody.
export function fromFragment(fragment: string): Kept {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const kept: Kept = { ...kNothing };
  const view = numbers(fields.get("view"), 3);
  if (view) kept.view = clampView({ x: view[0]!, y: view[1]!, zoom: view[2]! });
  kept.colour = fields.get("colour");
  kept.frame = whole(fields.get("frame"));
  kept.row = whole(fields.get("row"));
  const only = /^(cluster|label),(\d{1,5})$/.exec(fields.get("only") ?? "");
  if (only) kept.isolated = { by: only[1] as "cluster" | "label", which: Number(only[2]) };
  const filter = numbers(fields.get("filter"), 3);
  if (filter && Number.isInteger(filter[0]) && filter[0]! >= 0) kept.filter = { which: filter[0]!, low: filter[1]!, high: filter[2]! };
  kept.search = fields.get("search") ?? "";
  const theme = fields.get("theme");
  kept.theme = theme === "light" || theme === "dark" ? theme : null;
  kept.renderer = fields.get("renderer");
  return kept;
}

function numbers(text: string | null, count: number): number[] | null {
  const list = (text ?? "").split(",").map((part) => (part.trim() ? Number(part) : NaN));
  return list.length === count && list.every(Number.isFinite) ? list : null;
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;
}

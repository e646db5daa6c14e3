// SPDX-License-Identifier: Apache-2.0
//
// What the points are coloured by: clusters, labels, or one of the values.
import { pack, paletteOf, scaleOf, type Rgb, type Theme } from "./colours";
import type { Columns } from "./columns";
import { kNoLabel } from "./format";
import type { Report } from "./report";

export type ColourMode = { by: "cluster" } | { by: "label" } | { by: "value"; which: number } | { by: "none" };

/// "cluster", "label", "value3", "none": how the fragment and the list of choices name a mode.
export function modeName(mode: ColourMode): string {
  return mode.by === "value" ? `value${mode.which}` : mode.by;
}

export function modeOf(name: string, report: Report): ColourMode | null {
  const match = /^value(\d+)$/.exec(name);
  if (match) {
    const which = Number(match[1]);
    return which < report.header.values.length ? { by: "value", which } : null;
  }
  if (name === "cluster" && report.clusters) return { by: "cluster" };
  if (name === "label" && report.labels) return { by: "label" };
  return name === "none" ? { by: "none" } : null;
}

export function firstMode(report: Report): ColourMode {
  return modeOf("cluster", report) ?? modeOf("label", report) ?? modeOf("value0", report) ?? { by: "none" };
}

/// Names of clusters or labels, in the order of their numbers.
export function groupCount(by: "cluster" | "label", report: Report): number {
  return by === "cluster" ? Math.max(report.header.clusters.length, countOf(report.clusters))
    : (report.header.label?.names.length ?? 0);
}

function countOf(numbers: Uint16Array | null): number {
  let most = -1;
  for (let k = 0; numbers && k < numbers.length; ++k) if (numbers[k]! > most && numbers[k] !== kNoLabel) most = numbers[k]!;
  return most + 1;
}

export function groupName(by: "cluster" | "label", which: number, report: Report): string {
  return by === "cluster" ? `cluster ${which}` : (report.header.label?.names[which] ?? String(which));
}

/// Rows in each group.
export function groupSizes(by: "cluster" | "label", report: Report, mask: Uint8Array | null = null): Uint32Array {
  const sizes = new Uint32Array(groupCount(by, report));
  const numbers = by === "cluster" ? report.clusters : report.labels;
  for (let row = 0; numbers && row < numbers.length; ++row) {
    if ((!mask || mask[row]) && numbers[row]! < sizes.length) sizes[numbers[row]!]!++;
  }
  return sizes;
}

/// The colour of every row in a mode.
export function rowColours(mode: ColourMode, report: Report, columns: Columns, theme: Theme): Uint32Array {
  if (mode.by === "value") return valueColours(mode.which, report, columns, theme);
  const colours = new Uint32Array(report.rows);
  const palette = paletteOf(report.header.palette, theme).map((colour) => pack(colour));
  const numbers = mode.by === "cluster" ? report.clusters : mode.by === "label" ? report.labels : null;
  if (!numbers) return colours.fill(mode.by === "none" ? palette[0]! : pack(theme.none));
  for (let row = 0; row < colours.length; ++row) {
    const group = numbers[row]!;
    colours[row] = group === kNoLabel ? pack(theme.none) : palette[group % palette.length]!;
  }
  return colours;
}

function valueColours(which: number, report: Report, columns: Columns, theme: Theme): Uint32Array {
  const { shownLow, shownHigh } = columns.summary(which);
  const column = columns.column(which);
  const scale = scaleOf(report.header.scale, theme).map((colour) => pack(colour));
  const none = pack(theme.none, 150);
  const factor = shownHigh > shownLow ? 255 / (shownHigh - shownLow) : 0;
  const colours = new Uint32Array(report.rows);
  for (let row = 0; row < colours.length; ++row) {
    const number = column[row]!;
    const step = Math.max(0, Math.min(255, Math.round((number - shownLow) * factor)));
    colours[row] = Number.isNaN(number) ? none : scale[step]!;
  }
  return colours;
}

export function groupColour(which: number, report: Report, theme: Theme): Rgb {
  const palette = paletteOf(report.header.palette, theme);
  return which === kNoLabel ? theme.none : palette[which % palette.length]!;
}

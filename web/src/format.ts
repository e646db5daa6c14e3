// SPDX-License-Identifier: Apache-2.0
//
// What the library puts into the page, as README.md describes it.

export type Range = [number, number];
export type ArrayType = "u8" | "u16" | "u32" | "f32" | "json";

export interface Frame {
  name: string;
  layer: number;
  x: Range | null;
  y: Range | null;
}

export interface Layer {
  layer: number;
  centroids: number;
  seconds: number | null;
  error_ratio: number | null;
  distinct_codes: number | null;
}

export interface Mark {
  column: string;
  effect: number;
  inside: number;
  outside: number;
}

export interface Cluster {
  rows: number;
  confidence: number | null;
  sentence: string | null;
  marks: Mark[];
  exemplars: number[];
}

export interface Value {
  name: string;
  kind: "confidence" | "outlier" | "column";
  array: string;
  low: number;
  step: number;
}

export interface Pictures {
  width: number;
  height: number;
  channels: 1 | 3;
  all: boolean;
}

export interface Choice {
  text: string;
  counts: { clusters: number; stability: number; chosen: boolean }[];
}

export interface Place {
  type: ArrayType;
  offset: number;
  length: number;
}

export interface Header {
  title: string;
  rows: number;
  columns: number;
  map: { x: Range; y: Range };
  palette: string[];
  scale: string[];
  sample: { rows: number } | null;
  frames: Frame[];
  layers: Layer[];
  codes: { layer: number; clusterings: number } | null;
  cluster: boolean;
  clusters: Cluster[];
  label: { name: string; names: string[] } | null;
  values: Value[];
  ids: boolean;
  texts: boolean;
  pictures: Pictures | null;
  choice: Choice | null;
  scores: [string, string][];
  provenance: [string, string][];
  warnings: string[];
  arrays: { [name: string]: Place };
}

/// No label: this place in the names.
export const kNoLabel = 65535;

/// The largest number that a u16 holds, which stands for the end of a range.
export const kFull = 65535;

/// A header in which all that may be missing is there, if only as null or empty.
export function completeHeader(given: Partial<Header>): Header {
  const header: Header = {
    title: "", rows: 0, columns: 0, map: { x: [0, 1], y: [0, 1] }, palette: ["#1e6fdb"],
    scale: ["#d2e21b", "#440154"], sample: null, frames: [], layers: [], codes: null, cluster: false,
    clusters: [], label: null, values: [], ids: false, texts: false, pictures: null, choice: null,
    scores: [], provenance: [], warnings: [], arrays: {},
  };
  for (const [key, value] of Object.entries(given)) {
    if (value !== null && value !== undefined) Object.assign(header, { [key]: value });
  }
  return header;
}

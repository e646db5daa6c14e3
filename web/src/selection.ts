// SPDX-License-Identifier: Apache-2.0
//
// Which rows are meant: those that pass the isolated group, the filter, the search and the drawn shapes.
// All others stay grey.

export type CombineMode = "replace" | "add" | "subtract";

export interface Filter {
  which: number;
  low: number;
  high: number;
}

export type Point = [number, number];

/// The even-odd rule.
export function insidePolygon(x: number, y: number, polygon: Point[]): boolean {
  let inside = false;
  for (let k = 0, before = polygon.length - 1; k < polygon.length; before = k++) {
    const [xa, ya] = polygon[k]!;
    const [xb, yb] = polygon[before]!;
    if (ya > y !== yb > y && x < ((xb - xa) * (y - ya)) / (yb - ya) + xa) inside = !inside;
  }
  return inside;
}

/// Places within a polygon; first by its box, which is quick.
export function placesInside(x: Float32Array, y: Float32Array, polygon: Point[]): number[] {
  if (polygon.length < 3) return [];
  const across = polygon.map((point) => point[0]);
  const up = polygon.map((point) => point[1]);
  const [left, right, bottom, top] = [Math.min(...across), Math.max(...across), Math.min(...up), Math.max(...up)];
  const found: number[] = [];
  for (let k = 0; k < x.length; ++k) {
    const inBox = x[k]! >= left && x[k]! <= right && y[k]! >= bottom && y[k]! <= top;
    if (inBox && insidePolygon(x[k]!, y[k]!, polygon)) found.push(k);
  }
  return found;
}

/// The drawn selection after one more shape. Without any row left there is no selection: null.
/// Taking away from nothing takes away from all rows.
export function combine(before: Uint8Array | null, rows: Iterable<number>, mode: CombineMode, count: number): Uint8Array | null {
  const mask = mode === "replace" || !before ? new Uint8Array(count).fill(mode === "subtract" ? 1 : 0) : before.slice();
  for (const row of rows) mask[row] = mode === "subtract" ? 0 : 1;
  return mask.includes(1) ? mask : null;
}

export interface Restrictions {
  group: { numbers: ArrayLike<number>; which: number } | null;
  filter: { column: ArrayLike<number>; low: number; high: number } | null;
  search: Uint8Array | null;
  drawn: Uint8Array | null;
}

/// One byte for each row: 1 passes all; null when nothing restricts.
export function litRows(rows: number, { group, filter, search, drawn }: Restrictions): Uint8Array | null {
  if (!group && !filter && !search && !drawn) return null;
  const mask = new Uint8Array(rows).fill(1);
  for (let row = 0; row < rows; ++row) {
    if ((group && group.numbers[row] !== group.which)
        || (filter && !(filter.column[row]! >= filter.low && filter.column[row]! <= filter.high))
        || (search && !search[row]) || (drawn && !drawn[row])) mask[row] = 0;
  }
  return mask;
}

export function rowsOf(mask: Uint8Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < mask.length; ++row) if (mask[row]) rows.push(row);
  return rows;
}

// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a column: extent, mean and deviation, histogram; and the columns in which a row stands out.
import type { Report } from "./report";

export interface Summary {
  low: number;        // least and largest finite number
  high: number;
  mean: number;
  deviation: number;
  shownLow: number;   // ends of the colour scale: without far outliers
  shownHigh: number;
}

export function summarise(column: Float32Array): Summary {
  let low = Infinity, high = -Infinity, sum = 0, squares = 0, count = 0;
  for (let k = 0; k < column.length; ++k) {
    const number = column[k]!;
    if (!Number.isFinite(number)) continue;
    if (number < low) low = number;
    if (number > high) high = number;
    sum += number;
    squares += number * number;
    ++count;
  }
  if (count === 0) return { low: 0, high: 0, mean: 0, deviation: 0, shownLow: 0, shownHigh: 0 };
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  const [shownLow, shownHigh] = shownEnds(column, low, high);
  return { low, high, mean, deviation, shownLow, shownHigh };
}

/// The extent, or the middle 98 % of the numbers where the extent is more than three times as wide.
function shownEnds(column: Float32Array, low: number, high: number): [number, number] {
  const step = Math.max(1, Math.floor(column.length / 20000));
  const some: number[] = [];
  for (let k = 0; k < column.length; k += step) if (Number.isFinite(column[k])) some.push(column[k]!);
  some.sort((a, b) => a - b);
  const first = some[Math.floor(0.01 * (some.length - 1))] ?? low;
  const last = some[Math.ceil(0.99 * (some.length - 1))] ?? high;
  return last > first && high - low > 3 * (last - first) ? [first, last] : [low, high];
}

/// Counts of equal bins between low and high; numbers outside are left out.
export function histogram(column: Float32Array, low: number, high: number, bins: number): Uint32Array {
  const counts = new Uint32Array(bins);
  const scale = high > low ? bins / (high - low) : 0;
  for (let k = 0; k < column.length; ++k) {
    const number = column[k]!;
    if (!(number >= low && number <= high)) continue;
    counts[Math.min(bins - 1, Math.floor((number - low) * scale))]!++;
  }
  return counts;
}

export interface Standout {
  name: string;
  value: number;
  deviations: number;   // from the mean, in standard deviations
}

/// Columns of a report, each read and summarised once.
export class Columns {
  private readonly columns = new Map<number, Float32Array>();
  private readonly summaries = new Map<number, Summary>();

  constructor(private readonly report: Report) {}

  column(which: number): Float32Array {
    let column = this.columns.get(which);
    if (!column) this.columns.set(which, (column = this.report.column(which)));
    return column;
  }

  summary(which: number): Summary {
    let summary = this.summaries.get(which);
    if (!summary) this.summaries.set(which, (summary = summarise(this.column(which))));
    return summary;
  }

  /// The row's numbers that lie furthest from their column's mean, furthest first.
  standouts(row: number, most: number): Standout[] {
    const all: Standout[] = [];
    this.report.header.values.forEach((value, which) => {
      if (value.kind !== "column") return;
      const { mean, deviation } = this.summary(which);
      const number = this.report.value(which, row);
      if (!Number.isFinite(number)) return;
      all.push({ name: value.name, value: number, deviations: deviation > 0 ? (number - mean) / deviation : 0 });
    });
    all.sort((a, b) => Math.abs(b.deviations) - Math.abs(a.deviations));
    return all.slice(0, most);
  }
}

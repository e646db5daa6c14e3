// SPDX-License-Identifier: Apache-2.0
//
// Places of rows in "world" units: the map fills a box around 0 whose longer side goes from -1 to 1,
// y upwards. Every frame is brought into the same box, so that the eye can follow the points.
import { kFull, type Range } from "./format";
import type { Report } from "./report";

export interface Places {
  x: Float32Array;
  y: Float32Array;
}

interface Spread {
  x: Range;
  y: Range;
  scale: number;
}

export class World {
  readonly map: Places;
  readonly halfWidth: number;
  readonly halfHeight: number;
  private readonly spreads: Spread[];
  private readonly frames: (Places | null)[];

  constructor(private readonly report: Report) {
    const { x, y } = report.header.map;
    const longer = Math.max(x[1] - x[0], y[1] - y[0]) || 1;
    this.halfWidth = (x[1] - x[0]) / longer || 0.5;
    this.halfHeight = (y[1] - y[0]) / longer || 0.5;
    const own: Spread = { x, y, scale: 2 / longer };
    this.map = { x: world(report.mapX, x, own.scale), y: world(report.mapY, y, own.scale) };
    this.spreads = report.header.frames.map((frame) =>
      frame.x && frame.y ? this.spread(frame.x, frame.y) : own);
    this.frames = this.spreads.map(() => null);
  }

  private spread(x: Range, y: Range): Spread {
    const wide = x[1] - x[0] > 0 ? (2 * this.halfWidth) / (x[1] - x[0]) : Infinity;
    const high = y[1] - y[0] > 0 ? (2 * this.halfHeight) / (y[1] - y[0]) : Infinity;
    const scale = Math.min(wide, high);
    return { x, y, scale: Number.isFinite(scale) ? scale : 1 };
  }

  /// Places of the sampled rows in a frame.
  frame(which: number): Places {
    const known = this.frames[which];
    if (known) return known;
    const made = this.makeFrame(which);
    this.frames[which] = made;
    return made;
  }

  private makeFrame(which: number): Places {
    const spread = this.spreads[which]!;
    const x = this.report.numbers(`frame_${which}_x`);
    const y = this.report.numbers(`frame_${which}_y`);
    if (this.report.header.frames[which]?.x && x instanceof Uint16Array && y instanceof Uint16Array) {
      return { x: world(x, spread.x, spread.scale), y: world(y, spread.y, spread.scale) };
    }
    const sample = this.report.sample!;
    const places = { x: new Float32Array(sample.length), y: new Float32Array(sample.length) };
    for (let k = 0; k < sample.length; ++k) {
      places.x[k] = this.map.x[sample[k]!]!;
      places.y[k] = this.map.y[sample[k]!]!;
    }
    return places;
  }

  /// Coordinates of a row as the tool's files have them, but for the rounding to 16 bits.
  coordinates(row: number, frame: number): [number, number] | null {
    const { header, mapX, mapY } = this.report;
    const range = header.frames[frame];
    if (!range?.x || !range.y) {
      return [inRange(mapX[row]!, header.map.x), inRange(mapY[row]!, header.map.y)];
    }
    const place = this.report.samplePlace(row);
    const x = this.report.numbers(`frame_${frame}_x`);
    const y = this.report.numbers(`frame_${frame}_y`);
    if (place < 0 || !x || !y) return null;
    return [inRange(x[place]!, range.x), inRange(y[place]!, range.y)];
  }
}

function inRange(number: number, range: Range): number {
  return range[0] + (number / kFull) * (range[1] - range[0]);
}

function world(numbers: Uint16Array, range: Range, scale: number): Float32Array {
  const places = new Float32Array(numbers.length);
  const step = ((range[1] - range[0]) / kFull) * scale;
  const begin = -((range[1] - range[0]) / 2) * scale;
  for (let k = 0; k < numbers.length; ++k) places[k] = begin + numbers[k]! * step;
  return places;
}

/// Slow at both ends, quick between.
export function ease(time: number): number {
  return time < 0.5 ? 4 * time ** 3 : 1 - (-2 * time + 2) ** 3 / 2;
}

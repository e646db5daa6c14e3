// SPDX-License-Identifier: Apache-2.0
//
// The points in the order in which they are painted: grey ones first, then those that are meant, the
// strongest last; within a level in a shuffled order, or the rows at the end of a sorted file would
// cover all others. Renderers draw these arrays from first to last and know nothing else.
import { kGreyWeight, pack, type Theme } from "./colours";
import type { Places } from "./world";

export interface Paint {
  count: number;
  lit: number;              // place of the first point that is not grey
  places: Uint32Array;      // places in the arrays of positions
  x: Float32Array;
  y: Float32Array;
  colours: Uint32Array;
  version: number;          // changes with every change of x and y
  colourVersion: number;
}

let versions = 0;

/// A fixed shuffle of 0 to count - 1.
export function shuffled(count: number): Uint32Array {
  const order = new Uint32Array(count);
  let state = 0x9e3779b9;
  for (let k = 0; k < count; ++k) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 4294967296) * (k + 1));
    order[k] = order[other]!;
    order[other] = k;
  }
  return order;
}

/// `levels` of each place: 0 is grey, higher ones are painted later.
export function compose(order: Uint32Array, levels: Uint8Array, colours: Uint32Array, theme: Theme): Paint {
  const count = order.length;
  const ends = new Uint32Array(257);
  for (let k = 0; k < count; ++k) ends[levels[k]! + 1]!++;
  for (let level = 0; level < 256; ++level) ends[level + 1]! += ends[level]!;
  const lit = ends[1]!;
  const places = new Uint32Array(count);
  const painted = new Uint32Array(count);
  const grey = pack(theme.grey, kGreyWeight);
  for (let k = 0; k < count; ++k) {
    const place = order[k]!;
    const level = levels[place]!;
    const at = ends[level]!++;
    places[at] = place;
    painted[at] = level === 0 ? grey : colours[place]!;
  }
  return { count, lit, places, colours: painted, x: new Float32Array(count), y: new Float32Array(count),
           version: ++versions, colourVersion: ++versions };
}

/// Puts the points between two frames; `share` 0 is the first, 1 the second.
export function position(paint: Paint, from: Places, to: Places, share: number): void {
  const { places, x, y, count } = paint;
  if (share === 0 || from === to) {
    for (let k = 0; k < count; ++k) {
      x[k] = from.x[places[k]!]!;
      y[k] = from.y[places[k]!]!;
    }
  } else {
    for (let k = 0; k < count; ++k) {
      const place = places[k]!;
      x[k] = from.x[place]! + (to.x[place]! - from.x[place]!) * share;
      y[k] = from.y[place]! + (to.y[place]! - from.y[place]!) * share;
    }
  }
  paint.version = ++versions;
}

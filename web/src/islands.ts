// SPDX-License-Identifier: Apache-2.0
//
// Names on the map: each group's name at its densest places, larger groups first, never over one another.
// A group has one name at first; its other islands get theirs when one zooms in.

export interface Island {
  group: number;
  x: number;
  y: number;
  size: number;      // rows near this place
  rank: number;      // 0 is the group's main island
  spread: number;    // how far its rows lie above and below, as a standard deviation
}

const kCells = 72;
const kMostGroups = 400;
const kMostIslands = 5;
const kMostLooked = 200_000;   // rows; of more, every so many are looked at

/// Islands of each group, the largest first. `groups` has a number for each place, 65535 for none.
export function findIslands(x: Float32Array, y: Float32Array, groups: ArrayLike<number>, count: number): Island[] {
  const members: number[][] = Array.from({ length: count }, () => []);
  const stride = Math.ceil(x.length / kMostLooked);
  for (let k = 0; k < x.length; k += stride) members[groups[k]!]?.push(k);
  const order = members.map((_, group) => group).filter((group) => members[group]!.length > 0);
  order.sort((a, b) => members[b]!.length - members[a]!.length);
  const islands: Island[] = [];
  for (const group of order.slice(0, kMostGroups)) islands.push(...islandsOf(group, members[group]!, x, y));
  return islands.sort((a, b) => a.rank - b.rank || b.size - a.size);
}

function islandsOf(group: number, members: number[], x: Float32Array, y: Float32Array): Island[] {
  const density = new Float32Array(kCells * kCells);
  const cell = (number: number) => Math.max(0, Math.min(kCells - 1, Math.floor(((number + 1) / 2) * kCells)));
  for (const k of members) density[cell(y[k]!) * kCells + cell(x[k]!)]! += 1;
  const smooth = blur(blur(density));
  const islands: Island[] = [];
  let first = 0;
  for (let rank = 0; rank < kMostIslands; ++rank) {
    let peak = 0;
    for (let c = 1; c < smooth.length; ++c) if (smooth[c]! > smooth[peak]!) peak = c;
    if (rank === 0) first = smooth[peak]!;
    if (smooth[peak]! <= 0 || smooth[peak]! < 0.3 * first) break;
    const column = peak % kCells;
    const row = Math.floor(peak / kCells);
    const near = centreNear(members, x, y, column, row, cell);
    if (near) islands.push({ group, rank, ...near, size: rank === 0 ? members.length : near.size });
    clearAround(smooth, column, row, 12);
  }
  return islands;
}

function centreNear(members: number[], x: Float32Array, y: Float32Array, column: number, row: number,
                    cell: (number: number) => number): { x: number; y: number; size: number; spread: number } | null {
  let across = 0, up = 0, squares = 0, size = 0;
  for (const k of members) {
    if (Math.abs(cell(x[k]!) - column) > 2 || Math.abs(cell(y[k]!) - row) > 2) continue;
    across += x[k]!;
    up += y[k]!;
    squares += y[k]! * y[k]!;
    ++size;
  }
  if (size === 0) return null;
  const middle = up / size;
  return { x: across / size, y: middle, size, spread: Math.sqrt(Math.max(0, squares / size - middle * middle)) };
}

function clearAround(cells: Float32Array, column: number, row: number, reach: number): void {
  for (let r = Math.max(0, row - reach); r <= Math.min(kCells - 1, row + reach); ++r) {
    cells.fill(0, r * kCells + Math.max(0, column - reach), r * kCells + Math.min(kCells, column + reach + 1));
  }
}

function blur(cells: Float32Array): Float32Array {
  const smooth = new Float32Array(cells.length);
  for (let row = 0; row < kCells; ++row) {
    for (let column = 0; column < kCells; ++column) {
      let sum = 0;
      for (let r = Math.max(0, row - 1); r <= Math.min(kCells - 1, row + 1); ++r) {
        for (let c = Math.max(0, column - 1); c <= Math.min(kCells - 1, column + 1); ++c) sum += cells[r * kCells + c]!;
      }
      smooth[row * kCells + column] = sum / 9;
    }
  }
  return smooth;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Label extends Box {
  island: Island;
  text: string;
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

/// Names that fit: in the view, not over an earlier one nor over what is `taken`. Further islands of a group wait for more zoom.
export function placeLabels(islands: Island[], toScreen: (x: number, y: number) => [number, number],
                            measure: (island: Island) => { text: string; width: number; height: number },
                            zoom: number, width: number, height: number, taken: Box[] = []): Label[] {
  const placed: Label[] = [];
  for (const island of islands) {
    if (island.rank > 0 && zoom < 1.6 ** (island.rank + 1)) continue;
    const [across, down] = toScreen(island.x, island.y);
    const size = measure(island);
    // A name stands on a large island, and above one that it would cover.
    const high = 2 * (down - toScreen(island.x, island.y + island.spread)[1]);
    const above = high < size.height ? high + size.height * 0.75 : 0;
    const box = { left: across - size.width / 2, top: down - size.height / 2 - above, width: size.width, height: size.height };
    const seen = box.left >= 2 && box.top >= 2 && box.left + box.width <= width - 2 && box.top + box.height <= height - 2;
    if (seen && ![...taken, ...placed].some((other) => overlap(box, other))) placed.push({ ...box, island, text: size.text });
  }
  return placed;
}

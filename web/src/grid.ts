// SPDX-License-Identifier: Apache-2.0
//
// Finds the point nearest to a place: points are sorted into square cells, and cells are looked at in
// rings around the place until no nearer point can come.

export class Grid {
  private readonly side: number;
  private readonly cell: number;
  private readonly left: number;
  private readonly bottom: number;
  private readonly starts: Uint32Array;
  private readonly members: Uint32Array;

  constructor(private readonly x: Float32Array, private readonly y: Float32Array) {
    const count = x.length;
    let left = Infinity, right = -Infinity, bottom = Infinity, top = -Infinity;
    for (let k = 0; k < count; ++k) {
      left = Math.min(left, x[k]!);
      right = Math.max(right, x[k]!);
      bottom = Math.min(bottom, y[k]!);
      top = Math.max(top, y[k]!);
    }
    this.side = Math.max(1, Math.min(1024, Math.ceil(Math.sqrt(count / 2))));
    this.left = count ? left : 0;
    this.bottom = count ? bottom : 0;
    this.cell = (count ? Math.max(right - left, top - bottom) : 0) / this.side || 1;
    this.starts = new Uint32Array(this.side * this.side + 1);
    this.members = new Uint32Array(count);
    for (let k = 0; k < count; ++k) this.starts[this.cellOf(k) + 1]!++;
    for (let c = 0; c < this.side * this.side; ++c) this.starts[c + 1]! += this.starts[c]!;
    const next = this.starts.slice();
    for (let k = 0; k < count; ++k) this.members[next[this.cellOf(k)]!++] = k;
  }

  private cellOf(k: number): number {
    return this.row(this.y[k]!) * this.side + this.column(this.x[k]!);
  }

  private column(x: number): number {
    return Math.max(0, Math.min(this.side - 1, Math.floor((x - this.left) / this.cell)));
  }

  private row(y: number): number {
    return Math.max(0, Math.min(this.side - 1, Math.floor((y - this.bottom) / this.cell)));
  }

  /// The nearest point within `reach` that `wanted` accepts, or -1.
  nearest(x: number, y: number, reach: number, wanted: ((k: number) => boolean) | null = null): number {
    const column = this.column(x);
    const row = this.row(y);
    let best = -1;
    let least = reach * reach;
    for (let ring = 0; ring <= this.side; ++ring) {
      // All of this ring is at least ring - 1 cells away when the place is inside the grid. When it is
      // outside, it is further away still.
      const away = Math.max(0, ring - 1) * this.cell;
      if (away * away > least) break;
      for (let r = row - ring; r <= row + ring; ++r) {
        if (r < 0 || r >= this.side) continue;
        const step = r === row - ring || r === row + ring || ring === 0 ? 1 : 2 * ring;
        for (let c = column - ring; c <= column + ring; c += step) {
          if (c < 0 || c >= this.side) continue;
          for (let m = this.starts[r * this.side + c]!; m < this.starts[r * this.side + c + 1]!; ++m) {
            const k = this.members[m]!;
            const distance = (this.x[k]! - x) ** 2 + (this.y[k]! - y) ** 2;
            if (distance <= least && (distance < least || best < 0 || k < best) && (!wanted || wanted(k))) {
              best = k;
              least = distance;
            }
          }
        }
      }
    }
    return best;
  }
}

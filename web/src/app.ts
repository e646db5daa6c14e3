// SPDX-License-Identifier: Apache-2.0
//
// The page's state and all that follows from it: which rows are meant, who agrees with the chosen row, and
// the points to paint. Parts of the page change the state by `set` and hear of changes by `on`.
import { nearestByShare, shares } from "./agreement";
import { Camera, kWhole, type View } from "./camera";
import { kDark, kLight, pack, scaleOf, type Theme } from "./colours";
import { firstMode, rowColours, type ColourMode } from "./colour_modes";
import { Columns } from "./columns";
import { Grid } from "./grid";
import { compose, position, shuffled, type Paint } from "./paint";
import type { Report } from "./report";
import { search, type Found } from "./search";
import { litRows, type CombineMode, type Filter } from "./selection";
import { World, type Places } from "./world";

export type Tool = "move" | "lasso" | "box";
export type Group = { by: "cluster" | "label"; which: number };

export interface State {
  view: View;
  mode: ColourMode;
  frame: number;                 // between two frames while points move
  isolated: Group | null;
  row: number | null;            // the chosen row
  hover: number | null;
  filter: Filter | null;
  search: string;
  drawn: Uint8Array | null;      // rows within drawn shapes
  dark: boolean;
  tool: Tool;
  combine: CombineMode;
}

export interface Agreement {
  row: number;                   // the chosen row
  standIn: number;               // the sampled row whose codes are compared
  shares: Float32Array;          // by place in the sample
  nearest: number[];             // places in the sample
}

type Key = keyof State | "lit" | "paint";
const kNearest = 12;

/// Small plain objects are the same when they say the same; masks only when they are one.
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const plain = (value: unknown) => typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
  return plain(a) && plain(b) && JSON.stringify(a) === JSON.stringify(b);
}

export class App {
  readonly columns: Columns;
  readonly world: World;
  readonly camera: Camera;
  readonly lastFrame: number;
  state: State;
  theme: Theme = kLight;
  lit: Uint8Array | null = null;
  litCount: number;
  found: Found | null = null;
  agreement: Agreement | null = null;
  paint: Paint;
  private readonly listeners: { keys: Key[]; call: () => void }[] = [];
  private readonly orders = new Map<boolean, Uint32Array>();
  private colours: Uint32Array | null = null;
  private grid: { version: number; grid: Grid } | null = null;

  constructor(readonly report: Report) {
    this.columns = new Columns(report);
    this.world = new World(report);
    this.camera = new Camera(this.world.halfWidth, this.world.halfHeight);
    this.lastFrame = report.sample && report.header.frames.length > 1 ? report.header.frames.length - 1 : 0;
    this.litCount = report.rows;
    this.state = {
      view: { ...kWhole }, mode: firstMode(report), frame: this.lastFrame, isolated: null, row: null, hover: null,
      filter: null, search: "", drawn: null, dark: false, tool: "move", combine: "replace",
    };
    this.paint = this.makePaint();
  }

  on(keys: Key[], call: () => void): void {
    this.listeners.push({ keys, call });
  }

  set(patch: Partial<State>): void {
    const changed = new Set<Key>();
    for (const key of Object.keys(patch) as (keyof State)[]) {
      if (!same(this.state[key], patch[key])) changed.add(key);
    }
    if (changed.size === 0) return;
    const wasWhole = this.showsAll;
    this.state = { ...this.state, ...patch };
    this.derive(changed, wasWhole);
    for (const listener of this.listeners) if (listener.keys.some((key) => changed.has(key))) listener.call();
  }

  private derive(changed: Set<Key>, wasWhole: boolean): void {
    const any = (...keys: Key[]) => keys.some((key) => changed.has(key));
    if (any("view")) this.camera.view = this.state.view;
    if (any("dark")) this.theme = this.state.dark ? kDark : kLight;
    if (any("search")) this.found = search(this.report, this.state.search);
    if (any("row")) this.agreement = this.findAgreement();
    if (any("mode", "dark")) this.colours = null;
    if (any("isolated", "filter", "search", "drawn")) {
      this.findLit();
      changed.add("lit");
    }
    if (any("lit", "mode", "dark", "row") || wasWhole !== this.showsAll) {
      this.paint = this.makePaint();
      changed.add("paint");
    } else if (any("frame")) {
      this.movePaint(this.paint);
      changed.add("paint");
    }
  }

  /// Whether all rows are shown: in the final map. Frames before it have the sampled rows only.
  get showsAll(): boolean {
    return this.state.frame >= this.lastFrame;
  }

  get shownRows(): number {
    return this.showsAll ? this.report.rows : this.report.sampled;
  }

  rowOf(place: number): number {
    return this.showsAll ? place : this.report.sample![place]!;
  }

  private findLit(): void {
    const { report, state } = this;
    const numbers = state.isolated?.by === "label" ? report.labels : report.clusters;
    this.lit = litRows(report.rows, {
      group: state.isolated && numbers ? { numbers, which: state.isolated.which } : null,
      filter: state.filter ? { column: this.columns.column(state.filter.which), ...state.filter } : null,
      search: this.found?.mask ?? null,
      drawn: state.drawn,
    });
    this.litCount = 0;
    for (let row = 0; this.lit && row < this.lit.length; ++row) this.litCount += this.lit[row]!;
    if (!this.lit) this.litCount = report.rows;
  }

  private findAgreement(): Agreement | null {
    const { report } = this;
    const { row } = this.state;
    const { codes, header } = report;
    if (row === null || !codes || !header.codes) return null;
    let standIn = row;
    if (report.samplePlace(row) < 0) standIn = this.nearestSampled(row);
    const place = report.samplePlace(standIn);
    if (place < 0) return null;
    const share = shares(codes, report.sampled, header.codes.clusterings, place);
    return { row, standIn, shares: share, nearest: nearestByShare(share, place, kNearest) };
  }

  private nearestSampled(row: number): number {
    const { x, y } = this.world.map;
    let best = -1;
    let least = Infinity;
    for (const other of this.report.sample!) {
      const distance = (x[other]! - x[row]!) ** 2 + (y[other]! - y[row]!) ** 2;
      if (distance < least) {
        least = distance;
        best = other;
      }
    }
    return best;
  }

  private order(): Uint32Array {
    let order = this.orders.get(this.showsAll);
    if (!order) this.orders.set(this.showsAll, (order = shuffled(this.shownRows)));
    return order;
  }

  private makePaint(): Paint {
    const { levels, colours } = this.agreement ? this.agreementLook() : this.plainLook();
    const paint = compose(this.order(), levels, colours, this.theme);
    this.movePaint(paint);
    return paint;
  }

  private plainLook(): { levels: Uint8Array; colours: Uint32Array } {
    this.colours ??= rowColours(this.state.mode, this.report, this.columns, this.theme);
    const count = this.shownRows;
    const levels = new Uint8Array(count).fill(1);
    if (this.showsAll) {
      if (this.lit) levels.set(this.lit);
      return { levels, colours: this.colours };
    }
    const colours = new Uint32Array(count);
    for (let place = 0; place < count; ++place) {
      const row = this.rowOf(place);
      colours[place] = this.colours[row]!;
      if (this.lit) levels[place] = this.lit[row]!;
    }
    return { levels, colours };
  }

  private agreementLook(): { levels: Uint8Array; colours: Uint32Array } {
    const count = this.shownRows;
    const levels = new Uint8Array(count);
    const colours = new Uint32Array(count);
    const scale = scaleOf(this.report.header.scale, this.theme).map((colour, step) => pack(colour, 40 + Math.round(215 * (step / 255) ** 0.6)));
    const { sample } = this.report;
    const share = this.agreement!.shares;
    for (let k = 0; k < share.length; ++k) {
      const row = sample![k]!;
      const place = this.showsAll ? row : k;
      if (share[k] === 0 || (this.lit && !this.lit[row])) continue;
      levels[place] = 1 + Math.floor(share[k]! * 20);
      colours[place] = scale[Math.round(share[k]! * 255)]!;
    }
    return { levels, colours };
  }

  private movePaint(paint: Paint): void {
    const { frame } = this.state;
    if (this.showsAll) return position(paint, this.world.map, this.world.map, 0);
    const below = Math.floor(frame);
    const from = this.world.frame(below);
    const to = frame > below ? this.world.frame(below + 1) : from;
    position(paint, from, to, frame - below);
  }

  /// Where rows lie now, by place; between frames as well.
  placesNow(): Places {
    const { paint } = this;
    const places = { x: new Float32Array(paint.count), y: new Float32Array(paint.count) };
    for (let k = 0; k < paint.count; ++k) {
      places.x[paint.places[k]!] = paint.x[k]!;
      places.y[paint.places[k]!] = paint.y[k]!;
    }
    return places;
  }

  /// The row under a point of the screen, those that are meant before grey ones; -1 when none is near.
  pick(left: number, top: number, reach: number): number {
    if (this.grid?.version !== this.paint.version) {
      this.grid = { version: this.paint.version, grid: new Grid(this.paint.x, this.paint.y) };
    }
    const [x, y] = this.camera.toWorld(left, top);
    const { lit } = this.paint;
    const far = reach / this.camera.scale;
    let k = lit < this.paint.count ? this.grid.grid.nearest(x, y, far, (other) => other >= lit) : -1;
    if (k < 0) k = this.grid.grid.nearest(x, y, far);
    return k < 0 ? -1 : this.rowOf(this.paint.places[k]!);
  }

  /// Where a row is on the screen; null when this frame does not show it.
  screenOf(row: number): [number, number] | null {
    if (this.showsAll) return this.camera.toScreen(this.world.map.x[row]!, this.world.map.y[row]!);
    const place = this.report.samplePlace(row);
    if (place < 0) return null;
    const below = Math.floor(this.state.frame);
    const from = this.world.frame(below);
    const to = this.world.frame(Math.min(this.lastFrame, below + 1));
    const share = this.state.frame - below;
    return this.camera.toScreen(from.x[place]! + (to.x[place]! - from.x[place]!) * share,
                                from.y[place]! + (to.y[place]! - from.y[place]!) * share);
  }
}

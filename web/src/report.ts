// SPDX-License-Identifier: Apache-2.0
//
// What the page knows of each row, whatever form it came in.
import type { Payload } from "./decode";
import { kNoLabel, type Header } from "./format";

export class Report {
  readonly header: Header;
  readonly rows: number;
  readonly mapX: Uint16Array;
  readonly mapY: Uint16Array;
  readonly sample: Uint32Array | null;
  readonly codes: Uint8Array | Uint16Array | Uint32Array | null;
  readonly clusters: Uint16Array | null;
  readonly labels: Uint16Array | null;
  private readonly pictures: Uint8Array | null;
  private readonly pictureRows: Uint32Array | null;
  private places: Int32Array | null = null;

  constructor(private readonly payload: Payload) {
    this.header = payload.header;
    this.rows = payload.header.rows;
    const x = payload.numbers("map_x");
    const y = payload.numbers("map_y");
    if (!(x instanceof Uint16Array) || !(y instanceof Uint16Array)) throw new Error("The page's data has no map.");
    this.mapX = x;
    this.mapY = y;
    this.sample = payload.header.sample ? (payload.numbers("sample") as Uint32Array | null) : null;
    this.codes = payload.header.codes && this.sample
      ? (payload.numbers("codes") as Uint8Array | null) : null;
    this.clusters = payload.header.cluster ? (payload.numbers("cluster") as Uint16Array | null) : null;
    this.labels = payload.header.label ? (payload.numbers("label") as Uint16Array | null) : null;
    this.pictures = payload.header.pictures ? (payload.numbers("pictures") as Uint8Array | null) : null;
    this.pictureRows = payload.numbers("picture_rows") as Uint32Array | null;
  }

  numbers(name: string): ReturnType<Payload["numbers"]> {
    return this.payload.numbers(name);
  }

  /// The row's own id, exactly as it came; null when rows have none.
  id(row: number): string | null {
    return this.header.ids ? (this.payload.strings("ids")?.[row] ?? null) : null;
  }

  /// What to call a row: its id, or its number.
  name(row: number): string {
    return this.id(row) ?? `row ${row}`;
  }

  text(row: number): string | null {
    return this.header.texts ? (this.payload.strings("texts")?.[row] ?? null) : null;
  }

  label(row: number): string | null {
    const place = this.labels?.[row] ?? kNoLabel;
    return place === kNoLabel ? null : (this.header.label?.names[place] ?? String(place));
  }

  /// Number of value `which` of a row; NaN when it is missing.
  value(which: number, row: number): number {
    const value = this.header.values[which];
    const numbers = value ? this.payload.numbers(value.array) : null;
    if (!value || !numbers) return NaN;
    const number = numbers[row] ?? NaN;
    return numbers instanceof Float32Array ? number : value.low + value.step * number;
  }

  /// All numbers of value `which`.
  column(which: number): Float32Array {
    const value = this.header.values[which];
    const numbers = value ? this.payload.numbers(value.array) : null;
    if (!value || !numbers) return new Float32Array(this.rows).fill(NaN);
    if (numbers instanceof Float32Array) return numbers;
    const column = new Float32Array(this.rows);
    for (let row = 0; row < column.length; ++row) column[row] = value.low + value.step * (numbers[row] ?? NaN);
    return column;
  }

  valueOfKind(kind: "confidence" | "outlier"): number {
    return this.header.values.findIndex((value) => value.kind === kind);
  }

  /// The picture's bytes, or null when this row has none here.
  picture(row: number): Uint8Array | null {
    const form = this.header.pictures;
    if (!form || !this.pictures) return null;
    const place = form.all ? row : placeIn(this.pictureRows, row);
    const size = form.width * form.height * form.channels;
    return place < 0 || (place + 1) * size > this.pictures.length
      ? null : this.pictures.subarray(place * size, (place + 1) * size);
  }

  /// Place of a row in the sample, -1 when it is not there.
  samplePlace(row: number): number {
    if (!this.sample) return -1;
    if (!this.places) {
      this.places = new Int32Array(this.rows).fill(-1);
      for (let place = 0; place < this.sample.length; ++place) this.places[this.sample[place]!] = place;
    }
    return this.places[row] ?? -1;
  }

  get sampled(): number {
    return this.sample?.length ?? 0;
  }
}

/// Place of `row` in ascending `rows`, -1 when it is not there.
export function placeIn(rows: Uint32Array | null, row: number): number {
  if (!rows) return -1;
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (rows[middle] === row) return middle;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

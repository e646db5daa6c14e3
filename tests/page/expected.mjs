// SPDX-License-Identifier: Apache-2.0
//
// What the page should say, computed in the plainest way.
import { readFileSync } from "node:fs";

/// Shares of clusterings in which each row has the code of the row at `place`.
export function shares(codes, rows, clusterings, place) {
  return Array.from({ length: rows }, (_, other) => {
    let equal = 0;
    for (let clustering = 0; clustering < clusterings; ++clustering) {
      if (codes[clustering * rows + other] === codes[clustering * rows + place]) ++equal;
    }
    return equal / clusterings;
  });
}

const kTypes = {
  "|u1": Uint8Array, "<u2": Uint16Array, "<u4": Uint32Array, "<i4": Int32Array, "<f4": Float32Array, "<f8": Float64Array,
  "<i8": BigInt64Array,
};

/// A .npy file in C order: its shape and its numbers.
export function readNpy(path) {
  const file = readFileSync(path);
  const begin = file[6] === 1 ? 10 : 12;
  const length = file[6] === 1 ? file.readUInt16LE(8) : file.readUInt32LE(8);
  const head = file.toString("latin1", begin, begin + length);
  const Type = kTypes[/'descr': '([^']+)'/.exec(head)[1]];
  const shape = /'shape': \(([^)]*)\)/.exec(head)[1].split(",").filter((part) => part.trim()).map(Number);
  const bytes = new Uint8Array(file.subarray(begin + length));
  return { shape, data: Array.from(new Type(bytes.buffer), Number) };
}

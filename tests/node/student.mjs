// SPDX-License-Identifier: Apache-2.0
//
// Runs a student in ONNX Runtime for JavaScript and compares it with the library's own outputs. By
// hand, in a folder with `npm install --ignore-scripts onnxruntime-node onnxruntime-web`:
//
//   mbn transform student.onnx rows.npy -o outputs.npy
//   node student.mjs onnxruntime-web student.onnx rows.npy outputs.npy
//
// Prints the largest difference; 1 is the exit code when it is above 1e-4.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [runtime, student, rowsFile, outputsFile] = process.argv.slice(2);
const ort = createRequire(process.cwd() + "/")(runtime);

// A two-dimensional .npy of bytes or floats in C order, as floats.
function readNpy(path) {
  const file = readFileSync(path);
  const length = file[6] === 1 ? file.readUInt16LE(8) : file.readUInt32LE(8);
  const begin = (file[6] === 1 ? 10 : 12) + length;
  const header = file.toString("latin1", begin - length, begin);
  const shape = header.match(/\((\d+), (\d+)\)/).slice(1).map(Number);
  const bytes = file.buffer.slice(file.byteOffset + begin, file.byteOffset + file.length);
  const isFloat = header.includes("<f4");
  if (!isFloat && !header.includes("|u1")) throw new Error(`${path}: neither float32 nor uint8`);
  return { shape, cells: Float32Array.from(isFloat ? new Float32Array(bytes) : new Uint8Array(bytes)) };
}

const rows = readNpy(rowsFile);
const outputs = readNpy(outputsFile);
const session = await ort.InferenceSession.create(new Uint8Array(readFileSync(student)));
const start = performance.now();
const said = await session.run({ rows: new ort.Tensor("float32", rows.cells, rows.shape) });
const seconds = (performance.now() - start) / 1000;
const cells = said[session.outputNames[0]].data;
if (cells.length !== outputs.cells.length) throw new Error("another number of outputs");
let largest = 0;
for (let i = 0; i < cells.length; ++i) largest = Math.max(largest, Math.abs(cells[i] - outputs.cells[i]));
console.log(`${runtime}: ${rows.shape[0]} rows, largest difference ${largest}, ${seconds.toFixed(2)} s`);
process.exit(largest <= 1e-4 ? 0 : 1);

// SPDX-License-Identifier: Apache-2.0
//
// Writes data in the form of web/README.md and puts it into a page, as the library does.
import { gzipSync } from "node:zlib";

const kTypes = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };

function bytesOf(array) {
  if (Array.isArray(array)) return { type: "json", bytes: Buffer.from(JSON.stringify(array)) };
  const type = Object.keys(kTypes).find((name) => array instanceof kTypes[name]);
  return { type, bytes: Buffer.from(array.buffer, array.byteOffset, array.byteLength) };
}

const padded = (length) => Math.ceil(length / 8) * 8;

/// `arrays`: typed arrays, or lists of strings.
export function packPayload(header, arrays) {
  const places = {};
  const parts = [];
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const { type, bytes } = bytesOf(array);
    places[name] = { type, offset, length: type === "json" ? bytes.length : array.length };
    parts.push(bytes, Buffer.alloc(padded(bytes.length) - bytes.length));
    offset += padded(bytes.length);
  }
  const json = Buffer.from(JSON.stringify({ ...header, arrays: places }));
  const head = Buffer.alloc(16);
  head.write("MBNPAGE1", "latin1");
  head.writeUInt32LE(json.length, 8);
  return Buffer.concat([head, json, Buffer.alloc(padded(16 + json.length) - 16 - json.length), ...parts]);
}

const escapeHtml = (text) => text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]);

export function fillPage(template, header, arrays) {
  const data = gzipSync(packPayload(header, arrays), { level: 6 }).toString("base64");
  return template.replace("@MBN_TITLE@", () => escapeHtml(header.title.replaceAll("\0", "\ufffd"))).replace("@MBN_DATA@", () => data);
}

/// Numbers as 16 bits between their least and largest.
export function quantise(numbers) {
  let low = Infinity, high = -Infinity;
  for (const number of numbers) {
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  const scale = high > low ? 65535 / (high - low) : 0;
  return { range: [low, high], array: Uint16Array.from(numbers, (number) => Math.round((number - low) * scale)) };
}

// SPDX-License-Identifier: Apache-2.0
//
// Base64 -> gzip -> a header and typed arrays. The arrays are views of one buffer: nothing is copied.
import { completeHeader, type Header } from "./format";

const kMagic = "MBNPAGE1";

export interface Payload {
  header: Header;
  numbers(name: string): Uint8Array | Uint16Array | Uint32Array | Float32Array | null;
  strings(name: string): string[] | null;
}

type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

/// Bytes of a base64 text; in pieces, since one call of atob on 20 MB makes a string of 20 MB.
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const clean = text.trim();
  const direct = (Uint8Array as unknown as FromBase64).fromBase64;
  if (direct) return direct.call(Uint8Array, clean);
  const whole = /\s/.test(clean) ? clean.replace(/\s+/g, "") : clean;
  const padding = whole.endsWith("==") ? 2 : whole.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((whole.length / 4) * 3 - padding);
  const piece = 4 * 16384;
  for (let from = 0, to = 0; from < whole.length; from += piece) {
    const part = atob(whole.slice(from, from + piece));
    for (let k = 0; k < part.length; ++k) bytes[to++] = part.charCodeAt(k);
  }
  return bytes;
}

export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// Reads the unpacked bytes. Throws an Error with a whole sentence when they are not of this form.
export function parsePayload(bytes: Uint8Array<ArrayBuffer>): Payload {
  const text = new TextDecoder();
  if (bytes.length < 16 || text.decode(bytes.subarray(0, 8)) !== kMagic) {
    throw new Error("The data in this page has another form than this page reads.");
  }
  const length = new DataView(bytes.buffer).getUint32(8, true);
  const header = completeHeader(JSON.parse(text.decode(bytes.subarray(16, 16 + length))));
  const base = Math.ceil((16 + length) / 8) * 8;
  const cache = new Map<string, string[]>();

  function numbers(name: string) {
    const place = header.arrays[name];
    if (!place) return null;
    const at = base + place.offset;
    switch (place.type) {
      case "u8": return new Uint8Array(bytes.buffer, at, place.length);
      case "u16": return new Uint16Array(bytes.buffer, at, place.length);
      case "u32": return new Uint32Array(bytes.buffer, at, place.length);
      case "f32": return new Float32Array(bytes.buffer, at, place.length);
      default: return null;
    }
  }

  function strings(name: string): string[] | null {
    const place = header.arrays[name];
    if (!place || place.type !== "json") return null;
    let list = cache.get(name);
    if (!list) {
      const at = base + place.offset;
      list = JSON.parse(text.decode(bytes.subarray(at, at + place.length))) as string[];
      cache.set(name, list);
    }
    return list;
  }

  return { header, numbers, strings };
}

export async function decode(base64: string): Promise<Payload> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser is too old to unpack the page. Any browser since 2023 can.");
  }
  return parsePayload(await gunzip(bytesOfBase64(base64)));
}

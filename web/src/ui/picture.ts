// SPDX-License-Identifier: Apache-2.0
//
// A row's picture on a small canvas, from its bytes.
import type { Pictures } from "../format";
import type { Report } from "../report";
import { el } from "./dom";

export function pictureOf(report: Report, row: number, className: string): HTMLElement | null {
  const form = report.header.pictures;
  const bytes = report.picture(row);
  if (!form || !bytes) return null;
  const canvas = el("canvas", { width: form.width, height: form.height, class: `picture ${className}`, role: "img",
                                "aria-label": `Picture of ${report.name(row).slice(0, 80)}` });
  canvas.getContext("2d")?.putImageData(new ImageData(pixelsOf(bytes, form), form.width, form.height), 0, 0);
  return canvas;
}

export function pixelsOf(bytes: Uint8Array, form: Pictures): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(form.width * form.height * 4);
  for (let k = 0; k < form.width * form.height; ++k) {
    for (let part = 0; part < 3; ++part) pixels[4 * k + part] = bytes[form.channels === 3 ? 3 * k + part : k]!;
    pixels[4 * k + 3] = 255;
  }
  return pixels;
}

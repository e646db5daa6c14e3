// SPDX-License-Identifier: Apache-2.0
//
// The current view as SVG: points as circles where they are few, as one picture of pixels where they are
// many; names always as text.
import type { App } from "../app";
import { css, unpack } from "../colours";
import type { MapView } from "./map_view";

const kMostCircles = 20_000;

export function escapeXml(text: string): string {
  const names: { [letter: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd").replace(/[&<>"']/g, (letter) => names[letter]!);
}

export function viewAsSvg(app: App, view: MapView): string {
  const { camera, theme } = app;
  const width = Math.round(camera.width);
  const height = Math.round(camera.height);
  const ink = theme.dark ? "#f1f2f4" : "#1d2025";
  const names = view.labels().map(({ left, top, width: wide, height: high, text }) =>
    `<text x="${(left + wide / 2).toFixed(1)}" y="${(top + high / 2).toFixed(1)}">${escapeXml(text)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escapeXml(app.report.header.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${css(theme.background)}"/>`,
    points(app, view, width, height),
    `<g font-family="system-ui, sans-serif" font-size="13" font-weight="600" fill="${ink}" stroke="${css(theme.background)}" stroke-width="4" stroke-linejoin="round"`
      + ` paint-order="stroke" text-anchor="middle" dominant-baseline="central">`,
    ...names, "</g>", "</svg>", "",
  ].join("\n");
}

function points(app: App, view: MapView, width: number, height: number): string {
  const { paint, camera } = app;
  const { radius, alpha } = view.style();
  const circles: string[] = [];
  for (let k = 0; k < paint.count; ++k) {
    const [left, top] = camera.toScreen(paint.x[k]!, paint.y[k]!);
    if (left < -radius || top < -radius || left > width + radius || top > height + radius) continue;
    const packed = paint.colours[k]!;
    const weight = ((packed >>> 24) / 255) * alpha;
    circles.push(`<circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="${radius.toFixed(2)}" fill="${css(unpack(packed))}" fill-opacity="${weight.toFixed(2)}"/>`);
    if (circles.length > kMostCircles) {
      view.draw();
      return `<image width="${width}" height="${height}" href="${view.renderer.canvas.toDataURL("image/png")}"/>`;
    }
  }
  return `<g>${circles.join("\n")}</g>`;
}

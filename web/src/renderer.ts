// SPDX-License-Identifier: Apache-2.0
//
// Who draws the points. Up to some hundred thousand, writing the pixels ourselves keeps up with the screen
// without a graphics card. More of them are WebGL's, if there is one: in software it is many times slower, and a
// browser that must fall back to software says so on its console as soon as it is asked.
import type { Camera, PointStyle } from "./camera";
import type { Theme } from "./colours";
import type { Paint } from "./paint";
import { CanvasRenderer } from "./render_canvas";
import { isSoftware, WebglRenderer } from "./render_webgl";

const kMany = 200_000;

export interface Scene {
  paint: Paint;
  camera: Camera;
  style: PointStyle;
  theme: Theme;
  stride: number;   // draws every so many points; more than 1 only while the map moves
}

export interface Renderer {
  readonly kind: "canvas" | "webgl";
  readonly canvas: HTMLCanvasElement;
  resize(width: number, height: number, ratio: number): void;
  draw(scene: Scene): void;
}

/// `wish` is "webgl" or "canvas" to insist on one, for tests and for the curious.
export function makeRenderer(wish: string | null, points: number): Renderer {
  const webgl = wish === "webgl" || (wish !== "canvas" && points > kMany);
  return (webgl ? makeWebgl(wish === "webgl") : null) ?? new CanvasRenderer(document.createElement("canvas"));
}

function makeWebgl(insist: boolean): Renderer | null {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", {
    antialias: false, alpha: false, preserveDrawingBuffer: true, failIfMajorPerformanceCaveat: !insist,
  });
  if (!context || (!insist && isSoftware(context))) return null;
  try {
    return new WebglRenderer(canvas, context);
  } catch {
    return null;
  }
}

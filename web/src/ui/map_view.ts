// SPDX-License-Identifier: Apache-2.0
//
// The map on the screen: a canvas of points, and over it another of names, rings and shapes being drawn.
// Both are drawn once per screen refresh at most.
import type { App } from "../app";
import { pointStyle } from "../camera";
import { css } from "../colours";
import { groupCount, groupName } from "../colour_modes";
import { findIslands, placeLabels, type Box, type Island, type Label } from "../islands";
import { makeRenderer, type Renderer } from "../renderer";
import type { Point } from "../selection";
import { cut } from "./dom";

const kLabelFont = "600 13px system-ui, sans-serif";

const kRest = 140;       // milliseconds without a motion
const kSmooth = 22;      // milliseconds that a draw may take while the map moves

export class MapView {
  readonly renderer: Renderer;
  readonly timings = { draws: 0, lastDraw: 0 };
  shape: Point[] = [];              // of the lasso or box, in pixels
  private readonly overlay = document.createElement("canvas");
  private pending = false;
  private tools: Box[] = [];        // where the buttons are, in pixels of the map
  private resting = 0;              // timer that ends a motion; 0 at rest
  private whole = 0;                // milliseconds that drawing all points took
  private islands: { key: string; list: Island[] } = { key: "", list: [] };

  constructor(private readonly app: App, readonly host: HTMLElement, wish: string | null) {
    this.renderer = makeRenderer(wish, app.report.rows);
    this.overlay.className = "overlay";
    for (const canvas of [this.renderer.canvas, this.overlay]) canvas.setAttribute("aria-hidden", "true");
    host.prepend(this.renderer.canvas, this.overlay);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    app.on(["paint", "hover", "row", "dark"], () => this.request());
    app.on(["view"], () => this.move());
    app.on(["row"], () => this.reveal());
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    const ratio = window.devicePixelRatio || 1;
    this.app.camera.width = Math.max(1, width);
    this.app.camera.height = Math.max(1, height);
    this.app.camera.top = Math.min(56, height / 6);
    this.renderer.resize(width, height, ratio);
    this.overlay.width = Math.max(1, Math.round(width * ratio));
    this.overlay.height = Math.max(1, Math.round(height * ratio));
    this.tools = this.findTools();
    this.draw();
  }

  private findTools(): Box[] {
    const own = this.host.getBoundingClientRect();
    return [...document.querySelectorAll(".tools .group")].map((group) => {
      const { left, top, width, height } = group.getBoundingClientRect();
      return { left: left - own.left, top: top - own.top, width, height };
    });
  }

  /// Moves the map when a row that was just chosen, perhaps from a list, is outside it.
  private reveal(): void {
    const { row } = this.app.state;
    const { camera } = this.app;
    const at = row === null ? null : this.app.screenOf(row);
    if (!at || (at[0] > 0 && at[1] > 0 && at[0] < camera.width && at[1] < camera.height)) return;
    const [x, y] = camera.toWorld(...at);
    this.app.set({ view: { ...this.app.state.view, x, y } });
  }

  /// A motion goes on until the view has been still for a moment; then all points are drawn.
  private move(): void {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      this.resting = 0;
      this.request();
    }, kRest);
    this.request();
  }

  /// While the map moves, as few points are drawn as keep up with the screen.
  private stride(): number {
    const slow = this.renderer.kind === "canvas" && this.resting !== 0 && this.whole > kSmooth;
    return slow ? Math.ceil(this.whole / (0.6 * kSmooth)) : 1;
  }

  request(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw(): void {
    const begin = performance.now();
    const { app } = this;
    const stride = this.stride();
    this.renderer.draw({ paint: app.paint, camera: app.camera, style: this.style(), theme: app.theme, stride });
    if (stride === 1) this.whole = performance.now() - begin;
    this.drawOverlay();
    this.timings.draws++;
    this.timings.lastDraw = performance.now() - begin;
  }

  style() {
    const { camera, paint } = this.app;
    return pointStyle(paint.count, camera.view.zoom, camera.width, camera.height);
  }

  private drawOverlay(): void {
    const { app, overlay } = this;
    const context = overlay.getContext("2d")!;
    const ratio = overlay.width / Math.max(1, app.camera.width);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, app.camera.width, app.camera.height);
    this.drawNames(context);
    this.drawRing(context, app.state.row, 3);
    if (app.state.hover !== app.state.row) this.drawRing(context, app.state.hover, 1.75);
    this.drawShape(context);
  }

  /// Names of islands, where they go now. Between two frames there are none.
  labels(): Label[] {
    const { app } = this;
    if (app.state.frame !== Math.floor(app.state.frame)) return [];
    const by = this.groupsBy();
    if (!by) return [];
    const context = this.overlay.getContext("2d")!;
    context.font = kLabelFont;
    const { isolated } = app.state;
    const list = this.findIslands(by).filter(({ group }) => !isolated || isolated.by !== by || isolated.which === group);
    const measure = (island: Island) => {
      const text = cut(islandName(by, island.group, app), 32);
      return { text, width: context.measureText(text).width + 10, height: 22 };
    };
    const { view, width, height } = app.camera;
    return placeLabels(list, (x, y) => app.camera.toScreen(x, y), measure, view.zoom, width, height, this.tools);
  }

  private groupsBy(): "cluster" | "label" | null {
    const { mode } = this.app.state;
    if (mode.by === "cluster" || mode.by === "label") return mode.by;
    return this.app.report.clusters ? "cluster" : this.app.report.labels ? "label" : null;
  }

  private findIslands(by: "cluster" | "label"): Island[] {
    const { app } = this;
    const key = `${by} ${app.state.frame}`;
    if (this.islands.key !== key) {
      const numbers = (by === "cluster" ? app.report.clusters : app.report.labels)!;
      const places = app.placesNow();
      const groups = app.showsAll ? numbers : Uint16Array.from(app.report.sample!, (row) => numbers[row]!);
      this.islands = { key, list: findIslands(places.x, places.y, groups, groupCount(by, app.report)) };
    }
    return this.islands.list;
  }

  private drawNames(context: CanvasRenderingContext2D): void {
    const { theme } = this.app;
    context.font = kLabelFont;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const label of this.labels()) {
      const across = label.left + label.width / 2;
      const down = label.top + label.height / 2;
      context.lineWidth = 4;
      context.strokeStyle = theme.dark ? "rgb(20 22 26 / 0.85)" : "rgb(255 255 255 / 0.88)";
      context.strokeText(label.text, across, down);
      context.fillStyle = theme.dark ? "#f1f2f4" : "#1d2025";
      context.fillText(label.text, across, down);
    }
  }

  private drawRing(context: CanvasRenderingContext2D, row: number | null, width: number): void {
    const at = row === null ? null : this.app.screenOf(row);
    if (!at) return;
    const { theme } = this.app;
    const radius = this.style().radius + 4.5;
    for (const [line, colour] of [[width + 3, css(theme.background)], [width, theme.dark ? "#ffffff" : "#111318"]] as const) {
      context.beginPath();
      context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
      context.lineWidth = line;
      context.strokeStyle = colour;
      context.stroke();
    }
  }

  private drawShape(context: CanvasRenderingContext2D): void {
    if (this.shape.length < 2) return;
    const { theme } = this.app;
    context.beginPath();
    this.shape.forEach(([left, top], k) => (k ? context.lineTo(left, top) : context.moveTo(left, top)));
    context.closePath();
    context.fillStyle = theme.dark ? "rgb(138 176 255 / 0.14)" : "rgb(47 95 208 / 0.10)";
    context.fill();
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.strokeStyle = theme.dark ? "#8ab0ff" : "#2f5fd0";
    context.stroke();
    context.setLineDash([]);
  }

  /// Both canvases as one, for a picture.
  flattened(): HTMLCanvasElement {
    this.draw();
    const canvas = document.createElement("canvas");
    canvas.width = this.overlay.width;
    canvas.height = this.overlay.height;
    const context = canvas.getContext("2d")!;
    context.drawImage(this.renderer.canvas, 0, 0, canvas.width, canvas.height);
    context.drawImage(this.overlay, 0, 0);
    return canvas;
  }
}

/// A cluster of texts is called by its number and the words that set it apart.
function islandName(by: "cluster" | "label", group: number, app: App): string {
  const marks = by === "cluster" && app.report.header.texts ? (app.report.header.clusters[group]?.marks ?? []) : [];
  const telling = marks.filter((mark) => mark.effect > 0).slice(0, 3).map((mark) => cut(mark.column, 14));
  return telling.length ? `${group}: ${telling.join(", ")}` : groupName(by, group, app.report);
}

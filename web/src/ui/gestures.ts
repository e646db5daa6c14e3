// SPDX-License-Identifier: Apache-2.0
//
// Mouse, pen and fingers on the map. One pointer moves the map or draws a shape; two pinch; a press that
// does not move chooses a row. The wheel zooms around the pointer.
import type { App } from "../app";
import { combine, placesInside, type CombineMode, type Point } from "../selection";
import { rowsText, say } from "./dom";
import type { MapView } from "./map_view";

const kMouseReach = 10;
const kTouchReach = 24;
const kStill = 5;                // pixels that a click may move

interface Pointer {
  at: Point;
  begin: Point;
  moved: boolean;
}

export function startGestures(app: App, view: MapView): void {
  const host = view.host;
  const pointers = new Map<number, Pointer>();
  let drawing = false;
  const place = (event: MouseEvent): Point => {
    const box = host.getBoundingClientRect();
    return [event.clientX - box.left - host.clientLeft, event.clientY - box.top - host.clientTop];
  };
  const reach = (event: PointerEvent) => (event.pointerType === "mouse" ? kMouseReach : kTouchReach);

  host.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || (event.target as Element).closest("a, button")) return;
    host.setPointerCapture(event.pointerId);
    const at = place(event);
    pointers.set(event.pointerId, { at, begin: at, moved: false });
    drawing = pointers.size === 1 && app.state.tool !== "move";
    view.shape = [];
  });

  host.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    const at = place(event);
    if (!pointer) {
      if (event.pointerType === "mouse") hover(app, at, kMouseReach);
      return;
    }
    pointer.moved ||= Math.hypot(at[0] - pointer.begin[0], at[1] - pointer.begin[1]) > kStill;
    const others = [...pointers.values()].filter((other) => other !== pointer);
    if (others.length) pinch(app, pointer.at, at, others[0]!.at);
    else if (drawing) extend(app, view, pointer, at);
    else if (pointer.moved) app.set({ view: app.camera.panned(at[0] - pointer.at[0], at[1] - pointer.at[1]), hover: null });
    if (pointer.moved || others.length) pointer.at = at;
  });

  const release = (event: PointerEvent) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    pointers.delete(event.pointerId);
    if (event.type === "pointercancel") view.shape = [];
    else if (drawing && pointer.moved) select(app, view, modeOf(event, app));
    else if (!pointer.moved && pointers.size === 0) choose(app, pointer.begin, reach(event));
    drawing = false;
    view.shape = [];
    view.request();
  };
  host.addEventListener("pointerup", release);
  host.addEventListener("pointercancel", release);
  host.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") app.set({ hover: null });  // a finger leaves whenever it is lifted
  });

  host.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
    const turn = Math.max(-240, Math.min(240, event.deltaY * lines));
    app.set({ view: app.camera.zoomed(Math.exp(-turn * (event.ctrlKey ? 0.01 : 0.0022)), ...place(event)), hover: null });
  }, { passive: false });
  host.addEventListener("dblclick", (event) => {
    app.set({ view: app.camera.zoomed(event.shiftKey ? 0.5 : 2, ...place(event)) });
  });
}

function hover(app: App, at: Point, reach: number): void {
  if (!Number.isInteger(app.state.frame)) return;
  const row = app.pick(at[0], at[1], reach);
  app.set({ hover: row < 0 ? null : row });
}

function choose(app: App, at: Point, reach: number): void {
  const row = app.pick(at[0], at[1], reach);
  app.set({ row: row < 0 || row === app.state.row ? null : row, hover: row < 0 ? null : row });
}

function pinch(app: App, before: Point, now: Point, still: Point): void {
  const apart = (a: Point) => Math.max(1, Math.hypot(a[0] - still[0], a[1] - still[1]));
  const zoomed = app.camera.zoomed(apart(now) / apart(before), (before[0] + still[0]) / 2, (before[1] + still[1]) / 2);
  app.set({ view: zoomed });
  app.set({ view: app.camera.panned((now[0] - before[0]) / 2, (now[1] - before[1]) / 2), hover: null });
}

function extend(app: App, view: MapView, pointer: Pointer, at: Point): void {
  if (!pointer.moved) return;
  const [left, top] = pointer.begin;
  if (app.state.tool === "box") view.shape = [[left, top], [at[0], top], at, [left, at[1]]];
  else view.shape.push(...(view.shape.length ? [at] : [pointer.begin, at]));
  app.set({ hover: null });
  view.request();
}

function modeOf(event: PointerEvent, app: App): CombineMode {
  return event.shiftKey ? "add" : event.altKey ? "subtract" : app.state.combine;
}

/// Rows within the shape join or leave the selection. Only rows that this frame shows can.
function select(app: App, view: MapView, mode: CombineMode): void {
  const polygon = view.shape.map(([left, top]) => app.camera.toWorld(left, top));
  const places = app.placesNow();
  const rows = placesInside(places.x, places.y, polygon).map((place) => app.rowOf(place));
  app.set({ drawn: combine(app.state.drawn, rows, mode, app.report.rows) });
  say(`${rowsText(app.litCount)} selected`);
}

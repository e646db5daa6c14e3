// SPDX-License-Identifier: Apache-2.0
//
// Keys on the map: move, zoom, go from row to row, choose.
import type { App, Tool } from "../app";
import { kWhole } from "../camera";
import { say } from "./dom";
import type { MapView } from "./map_view";

const kTools: { [key: string]: Tool } = { m: "move", l: "lasso", b: "box" };

export function startKeyboard(app: App, view: MapView): void {
  let near: { around: string; rows: number[]; at: number } = { around: "", rows: [], at: -1 };

  /// Rows from the middle of the view outwards, found anew when the view has changed.
  function walk(step: number): void {
    const { x, y, zoom } = app.state.view;
    const around = `${x} ${y} ${zoom} ${app.paint.version}`;
    if (near.around !== around) near = { around, rows: rowsAroundMiddle(app), at: -1 };
    if (near.rows.length === 0) return;
    near.at = (near.at + step + near.rows.length) % near.rows.length;
    const row = near.rows[near.at]!;
    app.set({ hover: row });
    say(`${app.report.name(row).slice(0, 80)}, ${near.at + 1} of ${near.rows.length} rows near the middle`);
  }

  const actions: { [key: string]: () => void } = {
    ArrowLeft: () => app.set({ view: app.camera.panned(80, 0) }),
    ArrowRight: () => app.set({ view: app.camera.panned(-80, 0) }),
    ArrowUp: () => app.set({ view: app.camera.panned(0, 80) }),
    ArrowDown: () => app.set({ view: app.camera.panned(0, -80) }),
    "+": () => app.set({ view: app.camera.zoomed(1.4) }),
    "=": () => app.set({ view: app.camera.zoomed(1.4) }),
    "-": () => app.set({ view: app.camera.zoomed(1 / 1.4) }),
    "0": () => app.set({ view: { ...kWhole } }),
    Home: () => app.set({ view: { ...kWhole } }),
    d: () => app.set({ dark: !app.state.dark }),
    n: () => walk(1),
    p: () => walk(-1),
    Enter: () => app.set({ row: app.state.hover === app.state.row ? null : app.state.hover }),
    Escape: () => {
      view.shape = [];
      app.set({ row: null, hover: null });
    },
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !(event.target as Element).closest("#map, input, select")) actions["Escape"]!();
  });
  view.host.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== view.host) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key] ?? (kTools[key] ? () => app.set({ tool: kTools[key]! }) : null);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

export function rowsAroundMiddle(app: App, most = 200): number[] {
  const { x, y } = app.state.view;
  const { paint, camera } = app;
  const wide = camera.width / 2 / camera.scale;
  const high = camera.height / 2 / camera.scale;
  const seen: { row: number; distance: number }[] = [];
  for (let k = paint.lit; k < paint.count; ++k) {
    const across = paint.x[k]! - x;
    const up = paint.y[k]! - y;
    if (Math.abs(across) <= wide && Math.abs(up) <= high) {
      seen.push({ row: app.rowOf(paint.places[k]!), distance: across * across + up * up });
    }
  }
  seen.sort((a, b) => a.distance - b.distance);
  return seen.slice(0, most).map(({ row }) => row);
}

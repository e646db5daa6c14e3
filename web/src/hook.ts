// SPDX-License-Identifier: Apache-2.0
//
// What tests may ask the page. It changes nothing.
import type { App } from "./app";
import { shares } from "./agreement";
import { modeName } from "./colour_modes";
import { rowsOf } from "./selection";
import type { MapView } from "./ui/map_view";

export interface Timings {
  decode: number;       // milliseconds
  firstFrame: number;   // since the page began to load
}

export function makeHook(app: App, view: MapView, timings: Timings) {
  const { report } = app;
  return Object.freeze({
    rows: report.rows,
    renderer: view.renderer.kind,
    timings: Object.freeze({ ...timings }),
    draws: () => ({ ...view.timings }),
    state: () => ({
      view: { ...app.state.view }, colour: modeName(app.state.mode), frame: app.state.frame, isolated: app.state.isolated,
      row: app.state.row, hover: app.state.hover, filter: app.state.filter, search: app.state.search,
      dark: app.state.dark, tool: app.state.tool, combine: app.state.combine,
    }),
    /// Coordinates of a row in a frame, as in the tool's files but for 16 bits; null where it is not kept.
    position: (row: number, frame: number) => app.world.coordinates(row, frame),
    /// Where a row is, in pixels of the window.
    screen: (row: number) => {
      const at = app.screenOf(row);
      const box = view.host.getBoundingClientRect();
      return at ? [box.left + view.host.clientLeft + at[0], box.top + view.host.clientTop + at[1]] : null;
    },
    /// Rows that are selected; all of them when nothing restricts.
    selected: () => (app.lit ? rowsOf(app.lit) : Array.from({ length: report.rows }, (_, row) => row)),
    sample: () => Array.from(report.sample ?? []),
    /// Shares of clusterings in common with a sampled row, in the order of the sample.
    shares: (row: number) => {
      const place = report.samplePlace(row);
      return place < 0 || !report.codes || !report.header.codes ? null
        : Array.from(shares(report.codes, report.sampled, report.header.codes.clusterings, place));
    },
    labels: () => view.labels().map(({ left, top, width, height, text }) => ({ left, top, width, height, text })),
  });
}

// SPDX-License-Identifier: Apache-2.0
//
// Keeps the state in the address's fragment, and takes it from there when the page opens or the fragment changes.
import type { App, State } from "../app";
import { firstMode, groupCount, modeName, modeOf } from "../colour_modes";
import { fromFragment, toFragment, type Kept } from "../fragment";

const kWait = 200;

export function startFragment(app: App): void {
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  let known = location.hash;
  let timer = 0;

  function write(): void {
    // The address was changed and its event has not come yet: what it asks for goes before what was here.
    if (location.hash !== known) return read();
    const { state } = app;
    const first = modeName(firstMode(app.report));
    const fragment = toFragment({
      view: state.view, colour: modeName(state.mode) === first ? null : modeName(state.mode),
      frame: app.showsAll ? null : Math.round(state.frame), isolated: state.isolated, row: state.row, filter: state.filter,
      search: state.search, theme: state.dark === preferred.matches ? null : state.dark ? "dark" : "light",
      renderer: fromFragment(location.hash).renderer,
    });
    const written = fragment ? `#${fragment}` : "";
    try {
      if (known !== written) history.replaceState(null, "", written || location.pathname + location.search);
    } catch {
      // A frame inside another page may have no address of its own.
    }
    known = location.hash;
  }

  function read(): void {
    known = location.hash;
    app.set(stateOf(app, fromFragment(location.hash), preferred.matches));
  }

  read();
  app.on(["view", "mode", "frame", "isolated", "row", "filter", "search", "dark"], () => {
    clearTimeout(timer);
    timer = window.setTimeout(write, kWait);
  });
  addEventListener("hashchange", () => {
    if (location.hash !== known) read();
  });
  preferred.addEventListener("change", () => app.set({ dark: preferred.matches }));
}

/// What cannot be, such as a row beyond the last, is left out.
export function stateOf(app: App, kept: Kept, prefersDark: boolean): Partial<State> {
  const { report } = app;
  const { isolated, filter, row } = kept;
  const has = isolated && (isolated.by === "cluster" ? report.clusters : report.labels);
  return {
    view: kept.view,
    mode: (kept.colour === null ? null : modeOf(kept.colour, report)) ?? firstMode(report),
    frame: kept.frame === null ? app.lastFrame : Math.min(app.lastFrame, kept.frame),
    isolated: has && isolated.which < groupCount(isolated.by, report) ? isolated : null,
    row: row !== null && row < report.rows ? row : null,
    filter: filter && filter.which < report.header.values.length ? filter : null,
    search: kept.search,
    dark: kept.theme ? kept.theme === "dark" : prefersDark,
  };
}

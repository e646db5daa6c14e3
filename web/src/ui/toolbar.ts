// SPDX-License-Identifier: Apache-2.0
//
// Buttons over the map, and the two colour themes.
import type { App, Tool } from "../app";
import { kWhole } from "../camera";
import type { CombineMode } from "../selection";
import { byId, download, fileName, say } from "./dom";
import { viewAsSvg } from "./export_svg";
import type { MapView } from "./map_view";

export function startToolbar(app: App, view: MapView): void {
  press("[data-tool]", (button) => app.set({ tool: button.dataset["tool"] as Tool }));
  press("[data-combine]", (button) => app.set({ combine: button.dataset["combine"] as CombineMode }));
  press("#zoom-in", () => app.set({ view: app.camera.zoomed(1.6) }));
  press("#zoom-out", () => app.set({ view: app.camera.zoomed(1 / 1.6) }));
  press("#zoom-all", () => app.set({ view: { ...kWhole } }));
  press("#save-png", () => view.flattened().toBlob((blob) => {
    if (blob) download(fileName(app.report.header.title, ".png"), blob);
  }));
  press("#save-svg", () => {
    download(fileName(app.report.header.title, ".svg"), new Blob([viewAsSvg(app, view)], { type: "image/svg+xml" }));
  });
  const show = () => {
    const { tool, combine } = app.state;
    mark("[data-tool]", (button) => button.dataset["tool"] === tool);
    mark("[data-combine]", (button) => button.dataset["combine"] === combine);
    byId("combine").hidden = tool === "move";
    view.host.dataset["tool"] = tool;
  };
  app.on(["tool", "combine"], show);
  show();
}

export function startTheme(app: App): void {
  const show = () => {
    document.documentElement.dataset["theme"] = app.state.dark ? "dark" : "light";
    byId("theme").setAttribute("aria-pressed", String(app.state.dark));
  };
  press("#theme", () => {
    app.set({ dark: !app.state.dark });
    say(app.state.dark ? "Dark colours" : "Light colours");
  });
  app.on(["dark"], show);
  show();
}

function press(selector: string, call: (button: HTMLElement) => void): void {
  for (const button of document.querySelectorAll<HTMLElement>(selector)) button.addEventListener("click", () => call(button));
}

function mark(selector: string, pressed: (button: HTMLElement) => boolean): void {
  for (const button of document.querySelectorAll<HTMLElement>(selector)) button.setAttribute("aria-pressed", String(pressed(button)));
}

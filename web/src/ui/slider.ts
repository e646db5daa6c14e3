// SPDX-License-Identifier: Apache-2.0
//
// The slider over the layers. Points move from frame to frame; between two frames it can be held anywhere,
// and let go it moves on to the nearer one. Whoever asks for less motion gets jumps.
import type { App } from "../app";
import { ease } from "../world";
import { byId, count, el, rowsText, say } from "./dom";
import { layerText } from "./panel_layers";

const kMilliseconds = 900;
const kPause = 350;
const kPlay = "M6 3.500v13l11-6.500z";
const kStop = "M5 4h3.500v12H5zM11.5 4H15v12h-3.500z";

export function startSlider(app: App): void {
  if (app.lastFrame === 0) return;
  const input = byId<HTMLInputElement>("frame");
  const { frames } = app.report.header;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let run = 0;                  // number of the motion under way; another one ends it
  let playing = false;
  byId("slider").hidden = false;
  input.max = String(app.lastFrame);

  function glide(to: number, then: () => void = () => undefined): void {
    const own = ++run;
    const from = app.state.frame;
    const begin = performance.now();
    const time = still.matches ? 0 : kMilliseconds * Math.min(1.6, Math.max(0.35, Math.abs(to - from)));
    const step = (now: number) => {
      if (own !== run) return;
      const share = time === 0 ? 1 : Math.min(1, Math.max(0, now - begin) / time);
      app.set({ frame: share === 1 ? to : from + (to - from) * ease(share), hover: null });
      if (share < 1) requestAnimationFrame(step);
      else then();
    };
    requestAnimationFrame(step);
  }

  function go(to: number): void {
    setPlaying(false);
    const frame = Math.max(0, Math.min(app.lastFrame, to));
    glide(frame, () => say(`${frames[frame]!.name}. ${frameText(app, frame)}`));
  }

  function setPlaying(on: boolean): void {
    playing = on;
    byId("play").setAttribute("aria-label", on ? "Stop" : "Play the layers");
    byId("play-shape").setAttribute("d", on ? kStop : kPlay);
  }

  function playOn(): void {
    if (!playing) return;
    const next = Math.floor(app.state.frame) + 1;
    if (next > app.lastFrame) return setPlaying(false);
    glide(next, () => setTimeout(playOn, kPause));
  }

  byId("play").addEventListener("click", () => {
    if (playing) return go(Math.round(app.state.frame));
    setPlaying(true);
    if (app.state.frame >= app.lastFrame) glide(0, () => setTimeout(playOn, kPause));
    else playOn();
  });
  input.addEventListener("input", () => {
    ++run;
    setPlaying(false);
    app.set({ frame: Number(input.value), hover: null });
  });
  input.addEventListener("change", () => go(Math.round(Number(input.value))));
  input.addEventListener("keydown", (event) => {
    const here = Math.round(app.state.frame);
    const to: { [key: string]: number } = {
      ArrowLeft: here - 1, ArrowDown: here - 1, PageDown: here - 1, ArrowRight: here + 1, ArrowUp: here + 1,
      PageUp: here + 1, Home: 0, End: app.lastFrame,
    };
    if (to[event.key] === undefined) return;
    event.preventDefault();
    go(to[event.key]!);
  });
  const ticks = frames.map((frame, k) => el("button", {
    type: "button", class: "tick", tabindex: -1, "aria-hidden": "true", click: () => go(k),
  }, tickText(frame.name, k, app.lastFrame)));
  byId("ticks").append(...ticks);

  const show = () => {
    const { frame } = app.state;
    const nearest = Math.round(frame);
    input.value = String(frame);
    input.style.setProperty("--share", String(frame / app.lastFrame));
    input.setAttribute("aria-valuetext", frames[nearest]!.name);
    ticks.forEach((tick, k) => tick.classList.toggle("here", k === nearest));
    byId("frame-text").textContent = frameText(app, nearest);
  };
  app.on(["frame"], show);
  show();
}

function tickText(name: string, k: number, last: number): string {
  if (k === 0) return "rows";
  return k === last ? "map" : (/\d+$/.exec(name)?.[0] ?? String(k));
}

/// What a frame shows, in a sentence.
export function frameText(app: App, frame: number): string {
  const { frames, layers } = app.report.header;
  const { sampled, rows } = app.report;
  const kept = sampled < rows ? ` ${count(sampled)} of ${rowsText(rows)} are shown.` : "";
  if (frame === 0 && frames[0]!.layer === 0) {
    return `The rows before the network: their first two principal components.${kept}`;
  }
  if (frame === app.lastFrame) return "The final map. Drag the slider or press play to see how the layers got here.";
  const layer = layers.find((one) => one.layer === frames[frame]!.layer);
  return `After layer ${frames[frame]!.layer}${layer ? `: ${layerText(layer)}` : ""}.${kept}`;
}

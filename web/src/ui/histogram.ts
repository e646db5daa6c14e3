// SPDX-License-Identifier: Apache-2.0
//
// A histogram of one value. Drag over it, or type two numbers, to keep only the rows between them.
import type { App } from "../app";
import { histogram } from "../columns";
import { css, scaleOf } from "../colours";
import { count, cut, decimal, el, rowsText, say } from "./dom";

const kBins = 48;
const kHeight = 64;

export function startHistogram(app: App, panel: HTMLElement): void {
  const { values } = app.report.header;
  let which = app.state.filter?.which ?? (app.state.mode.by === "value" ? app.state.mode.which : 0);
  const choice = el("select", { id: "filter-by", change: () => {
    which = Number(choice.value);
    app.set({ filter: null });
    show();
  } });
  choice.append(...values.map((value, k) => el("option", { value: k }, cut(value.name, 60))));
  const canvas = el("canvas", { class: "histogram", role: "img" });
  const low = numberInput("Least", apply);
  const high = numberInput("Largest", apply);
  const clear = el("button", { type: "button", class: "quiet", click: () => app.set({ filter: null }) }, "all");
  const part = el("details", {}, el("summary", {}, "Filter by a number"),
    el("p", { class: "explain" }, "How many rows have which number. Drag over the bars to keep only those rows in colour."),
    el("div", { class: "field" }, el("label", { for: "filter-by" }, "Filter by"), choice),
    canvas, el("div", { class: "between" }, low, el("span", {}, "to"), high, clear));
  panel.append(part);

  function apply(): void {
    const { low: least, high: most } = app.columns.summary(which);
    const from = low.value === "" ? least : Number(low.value);
    const to = high.value === "" ? most : Number(high.value);
    setFilter(Math.min(from, to), Math.max(from, to));
  }

  function setFilter(from: number, to: number): void {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return;
    app.set({ filter: { which, low: from, high: to } });
    say(`${rowsText(app.litCount)} between ${decimal(from)} and ${decimal(to)}`);
  }

  function show(): void {
    choice.value = String(which);
    if (app.state.filter || app.state.mode.by === "value") part.open = true;
    const summary = app.columns.summary(which);
    const filter = app.state.filter?.which === which ? app.state.filter : null;
    low.value = filter ? String(Number(filter.low.toPrecision(6))) : "";
    high.value = filter ? String(Number(filter.high.toPrecision(6))) : "";
    low.placeholder = decimal(summary.low);
    high.placeholder = decimal(summary.high);
    clear.hidden = !filter;
    canvas.setAttribute("aria-label", `Histogram of ${cut(values[which]!.name, 60)}, from ${decimal(summary.low)} to ${decimal(summary.high)}, ${count(app.report.rows)} rows`);
    drawBars(app, canvas, which);
  }

  startBrush(canvas, (from, to) => {
    const { low: least, high: most } = app.columns.summary(which);
    setFilter(least + from * (most - least), least + to * (most - least));
  }, () => app.set({ filter: null }));
  app.on(["filter"], () => {
    which = app.state.filter?.which ?? which;
    show();
  });
  app.on(["dark", "mode"], () => {
    if (!app.state.filter && app.state.mode.by === "value") which = app.state.mode.which;
    show();
  });
  new ResizeObserver(() => drawBars(app, canvas, which)).observe(canvas);
  show();
}

function numberInput(name: string, call: () => void): HTMLInputElement {
  return el("input", { type: "number", step: "any", "aria-label": name, change: call });
}

/// Tells the brushed part as two shares of the width; a click without a drag clears.
function startBrush(canvas: HTMLCanvasElement, brush: (from: number, to: number) => void, clear: () => void): void {
  let begin: number | null = null;
  const share = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width)));
  };
  const wide = (from: number, to: number) => Math.abs(to - from) > 0.012;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    begin = share(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = share(event);
    if (begin !== null && wide(begin, now)) brush(Math.min(begin, now), Math.max(begin, now));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (begin !== null && !wide(begin, share(event))) clear();
    begin = null;
  });
}

function drawBars(app: App, canvas: HTMLCanvasElement, which: number): void {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth || 300;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(kHeight * ratio);
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  const { low, high, shownLow, shownHigh } = app.columns.summary(which);
  const counts = histogram(app.columns.column(which), low, high, kBins);
  const most = Math.sqrt(Math.max(1, ...counts));
  const coloured = app.state.mode.by === "value" && app.state.mode.which === which;
  const scale = scaleOf(app.report.header.scale, app.theme);
  const filter = app.state.filter?.which === which ? app.state.filter : null;
  counts.forEach((number, bin) => {
    const middle = low + ((bin + 0.5) / kBins) * (high - low);
    const step = Math.max(0, Math.min(255, Math.round(((middle - shownLow) / (shownHigh - shownLow || 1)) * 255)));
    const out = filter && (middle < filter.low || middle > filter.high);
    context.fillStyle = out ? css(app.theme.grey) : coloured ? css(scale[step]!) : app.theme.dark ? "#8ab0ff" : "#2f5fd0";
    // Heights are square roots of counts: a few rows beside many stay visible.
    const tall = number ? Math.max(1.5, (Math.sqrt(number) / most) * (kHeight - 2)) : 0;
    context.fillRect((bin / kBins) * width, kHeight - tall, width / kBins - 1, tall);
  });
}

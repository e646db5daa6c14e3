// SPDX-License-Identifier: Apache-2.0
//
// The card beside the pointer. It keeps away from the point it tells of, and within the map.
import type { App } from "../app";
import { byId, count, rowsText } from "./dom";
import { rowCard } from "./row_card";

const kGap = 16;

export function startHoverCard(app: App): void {
  const card = byId("hover-card");
  let shown: number | null = null;

  function place(left: number, top: number): void {
    const { width, height } = app.camera;
    const wide = card.offsetWidth;
    const high = card.offsetHeight;
    const right = left + kGap + wide <= width ? left + kGap : left - kGap - wide;
    card.style.left = `${Math.max(8, Math.min(width - wide - 8, right))}px`;
    card.style.top = `${Math.max(8, Math.min(height - high - 8, top - high / 2))}px`;
  }

  function show(): void {
    const { hover } = app.state;
    const at = hover === null ? null : app.screenOf(hover);
    card.hidden = at === null;
    if (hover === null || !at) return;
    if (hover !== shown) {
      card.replaceChildren(rowCard(app, hover, { text: 220, columns: 5 }));
      shown = hover;
    }
    place(...at);
  }

  app.on(["hover", "view", "paint"], show);
  app.on(["dark"], () => (shown = null));
}

/// The line over the map that says what is shown when it is not simply all rows.
export function startMapNote(app: App): void {
  const note = byId("map-note");
  const show = () => {
    const parts: string[] = [];
    const { sampled, rows } = app.report;
    const part = sampled < rows ? `${count(sampled)} of ${rowsText(rows)}` : "";
    if (app.agreement) parts.push(`Colour: agreement with the chosen row${part && ` (${part})`}`);
    else if (!app.showsAll && part) parts.push(`A sample is followed through the layers: ${part}`);
    note.hidden = parts.length === 0;
    note.textContent = parts.join(". ");
  };
  app.on(["paint", "row", "frame"], show);
  show();
}

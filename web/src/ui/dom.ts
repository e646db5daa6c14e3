// SPDX-License-Identifier: Apache-2.0
//
// Small helpers to build the page. Strings become text, never HTML.

type Child = Node | string | null;
type Attributes = { [name: string]: string | number | boolean | null | ((event: Event) => void) };

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/// Words of the user's: cut when long, control characters made visible, and with a direction of their own,
/// so that right-to-left words do not turn round what stands beside them.
export function words(text: string, most = 160, className = ""): HTMLElement {
  const shown = cut(text, most);
  return el("bdi", { class: className || null, title: shown === text || text.length > 2000 ? null : text.replaceAll("\0", "\ufffd") }, shown);
}

export function cut(text: string, most: number): string {
  const clean = text.slice(0, 4 * most + 4).replace(/[\0-\x08\x0b-\x1f\x7f]/g, "\ufffd");
  const letters = Array.from(clean);
  return letters.length > most ? `${letters.slice(0, most).join("").trimEnd()}…` : clean;
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export function count(number: number): string {
  return whole.format(number);
}

/// "1 row", "2,000 rows".
export function rowsText(number: number): string {
  return number === 1 ? "1 row" : `${count(number)} rows`;
}

export function decimal(number: number): string {
  if (!Number.isFinite(number)) return "missing";
  const size = Math.abs(number);
  return size !== 0 && (size >= 1e7 || size < 1e-4) ? number.toExponential(2) : digits.format(number);
}

export function percent(share: number): string {
  const hundredths = share * 100;
  return `${hundredths > 0 && hundredths < 1 ? "<1" : Math.round(hundredths)} %`;
}

/// Tells screen readers what just happened.
export function say(text: string): void {
  byId("live").textContent = text;
}

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/// A file's name out of a title: letters and digits of it.
export function fileName(title: string, ending: string): string {
  const plain = title.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${plain || "map"}${ending}`;
}

/// A panel's head: its title, and in a sentence what it is for.
export function heading(title: string, explanation: string): HTMLElement[] {
  return [el("h2", {}, title), el("p", { class: "explain" }, explanation)];
}

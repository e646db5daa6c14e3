// SPDX-License-Identifier: Apache-2.0
//
// Rows by number, by id or by text. A number names a row exactly; ids and texts are found by any part
// of them, in upper or lower case.
import type { Report } from "./report";

export interface Found {
  mask: Uint8Array;
  count: number;
  first: number[];   // at most kListed rows; the row of that number, then exact ids, then others
}

export const kListed = 30;

export function search(report: Pick<Report, "rows" | "header" | "id" | "text">, query: string): Found | null {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return null;
  const mask = new Uint8Array(report.rows);
  const exact: number[] = [];
  const others: number[] = [];
  const number = /^(?:row\s*|#)?(\d+)$/.exec(wanted);
  if (number && Number(number[1]) < report.rows) {
    exact.push(Number(number[1]));
    mask[Number(number[1])] = 1;
  }
  const { ids, texts } = report.header;
  let count = exact.length;
  for (let row = 0; (ids || texts) && row < report.rows; ++row) {
    const id = ids ? (report.id(row) ?? "").toLowerCase() : "";
    if (!id.includes(wanted) && !(texts && (report.text(row) ?? "").toLowerCase().includes(wanted))) continue;
    if (!mask[row]) {
      mask[row] = 1;
      ++count;
      (id === wanted ? exact : others).push(row);
      if (others.length > kListed) others.pop();
    }
  }
  return { mask, count, first: [...exact, ...others].slice(0, kListed) };
}

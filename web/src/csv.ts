// SPDX-License-Identifier: Apache-2.0
//
// Ids as CSV (RFC 4180): one column, exactly as they came.

export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function idsAsCsv(name: string, ids: Iterable<string>): string {
  const lines = [name];
  for (const id of ids) lines.push(csvField(id));
  return `${lines.join("\r\n")}\r\n`;
}

// SPDX-License-Identifier: Apache-2.0
//
// The made data of the browser's tests, for the unit tests.
import { small } from "../../tests/page/made.mjs";
import { packPayload } from "../../tests/page/payload.mjs";

let once = null;
export const made = () => (once ??= small(60));

/// Unpacked bytes with a buffer of their own.
export function packed({ header, arrays } = made()) {
  return new Uint8Array(packPayload(header, arrays)).slice();
}

// SPDX-License-Identifier: Apache-2.0
//
// Who agrees with a row: the share of clusterings in which another row has the same code.

/// Codes stand clustering by clustering, each with the codes of all sampled rows.
export function shares(codes: ArrayLike<number>, sampled: number, clusterings: number, place: number): Float32Array {
  const counts = new Uint16Array(sampled);
  for (let clustering = 0; clustering < clusterings; ++clustering) {
    const begin = clustering * sampled;
    const own = codes[begin + place];
    for (let other = 0; other < sampled; ++other) if (codes[begin + other] === own) counts[other]!++;
  }
  return Float32Array.from(counts, (count) => count / clusterings);
}

/// Places with the highest shares, highest first, without `place` itself; none with a share of 0.
export function nearestByShare(share: Float32Array, place: number, most: number): number[] {
  const best: number[] = [];
  for (let other = 0; other < share.length; ++other) {
    if (other === place || share[other]! <= 0) continue;
    if (best.length === most && share[other]! <= share[best[most - 1]!]!) continue;
    let at = best.length;
    while (at > 0 && share[best[at - 1]!]! < share[other]!) --at;
    best.splice(at, 0, other);
    if (best.length > most) best.pop();
  }
  return best;
}

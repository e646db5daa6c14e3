// SPDX-License-Identifier: Apache-2.0
//
// Made data for the page: a few hundred rows with everything, hostile strings, and many rows.
import { quantise } from "./payload.mjs";

const kPalette = ["#1e6fdb", "#e8962c", "#0c5b46", "#9d915c", "#21dfaf", "#3e2e55", "#b7649c", "#6a1d8d", "#a0b5f2", "#a83709"];
const kScale = ["#d2e21b", "#7fd34e", "#3bbb75", "#1f9e89", "#26818e", "#33628d", "#423f85", "#481769", "#440154"];

/// Numbers between 0 and 1 from a seed.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const bell = (draw) => draw() + draw() + draw() + draw() - 2;

function blobs(rows, clusters, draw) {
  const x = new Float64Array(rows);
  const y = new Float64Array(rows);
  const cluster = new Uint16Array(rows);
  for (let row = 0; row < rows; ++row) {
    const which = Math.min(clusters - 1, Math.floor(draw() ** 1.3 * clusters));
    const turn = (which / clusters) * 2 * Math.PI;
    const wide = 1 + (which % 3) * 0.5;
    cluster[row] = which;
    x[row] = 10 * Math.cos(turn) + wide * 1.6 * bell(draw);
    y[row] = 7 * Math.sin(turn) + wide * bell(draw) + 0.15 * (x[row] - 10 * Math.cos(turn)) ** 2;
  }
  return { x, y, cluster };
}

function base(title, rows, places) {
  const x = quantise(places.x);
  const y = quantise(places.y);
  return {
    header: { title, rows, columns: 12, map: { x: x.range, y: y.range }, palette: kPalette, scale: kScale },
    arrays: { map_x: x.array, map_y: y.array },
  };
}

/// Frames from noise to the map, and codes of clusterings that draw ever fewer rows at random.
function addNetwork(made, sample, places, layers, clusterings, draw) {
  const { header, arrays } = made;
  header.sample = { rows: sample.length };
  arrays.sample = sample;
  header.frames = [];
  header.layers = [];
  for (let layer = 0; layer <= layers; ++layer) {
    const noise = 6 * (1 - layer / layers);
    const x = quantise(Array.from(sample, (row) => 0.6 * places.x[row] + noise * bell(draw)));
    const y = quantise(Array.from(sample, (row) => 0.6 * places.y[row] + noise * bell(draw)));
    header.frames.push({ name: layer ? `layer ${layer}` : "the rows", layer, x: x.range, y: y.range });
    arrays[`frame_${layer}_x`] = x.array;
    arrays[`frame_${layer}_y`] = y.array;
    if (layer) {
      const centroids = Math.max(4, Math.round(sample.length / 2 ** layer));
      header.layers.push({ layer, centroids, seconds: 0.4 / layer, error_ratio: 0.08 * layer, distinct_codes: Math.round(sample.length / layer) });
    }
  }
  header.frames.push({ name: "the map", layer: layers + 1, x: null, y: null });
  arrays.codes = drawCodes(sample, places, 12, clusterings, draw);
  header.codes = { layer: layers, clusterings };
}

function drawCodes(sample, places, centroids, clusterings, draw) {
  const codes = new Uint8Array(sample.length * clusterings);
  for (let clustering = 0; clustering < clusterings; ++clustering) {
    const drawn = Array.from({ length: centroids }, () => sample[Math.floor(draw() * sample.length)]);
    for (let k = 0; k < sample.length; ++k) {
      let least = Infinity;
      drawn.forEach((other, code) => {
        const distance = (places.x[sample[k]] - places.x[other]) ** 2 + (places.y[sample[k]] - places.y[other]) ** 2;
        if (distance < least) {
          least = distance;
          codes[clustering * sample.length + k] = code;
        }
      });
    }
  }
  return codes;
}

function addValues(made, rows, cluster, columns, draw) {
  const { header, arrays } = made;
  arrays.confidence = Uint8Array.from({ length: rows }, () => 255 * (1 - draw() ** 3));
  arrays.outlier = Float32Array.from({ length: rows }, () => 1 + draw() ** 6 * 9);
  header.values = [
    { name: "confidence", kind: "confidence", array: "confidence", low: 0, step: 1 / 255 },
    { name: "outlier score", kind: "outlier", array: "outlier", low: 0, step: 1 },
  ];
  for (let column = 0; column < columns; ++column) {
    const name = ["length", "width", "height", "weight", "price", "age", "depth", "speed", "rank", "share"][column] ?? `column ${column}`;
    arrays[`value_${column}`] = Uint16Array.from({ length: rows }, (_, row) =>
      Math.max(0, Math.min(65535, 32768 + 6000 * bell(draw) + 4000 * (((cluster[row] * (column + 3)) % 5) - 2))));
    header.values.push({ name, kind: "column", array: `value_${column}`, low: -10, step: 20 / 65535 });
  }
  if (columns) {
    const first = Float32Array.from({ length: rows }, (_, row) => (row % 50 === 7 ? NaN : bell(draw)));
    arrays.value_missing = first;
    header.values.push({ name: "with gaps", kind: "column", array: "value_missing", low: 0, step: 1 });
  }
}

function addClusters(made, rows, cluster, clusters) {
  const { header, arrays } = made;
  header.cluster = true;
  arrays.cluster = cluster;
  header.clusters = Array.from({ length: clusters }, (_, which) => {
    const members = [];
    for (let row = 0; row < rows; ++row) if (cluster[row] === which) members.push(row);
    return {
      rows: members.length, confidence: 0.6 + 0.3 * ((which * 7) % 10) / 10, exemplars: members.slice(0, 10),
      sentence: which % 2 ? null : `High length (${(which + 1.5).toFixed(1)} against 0.2 elsewhere) and low weight.`,
      marks: [{ column: ["long", "wide", "high", "heavy", "dear", "old"][which % 6], effect: 1.8, inside: 3.2, outside: 0.1 }, { column: "weight", effect: -1.2, inside: -1, outside: 0.4 }],
    };
  });
}

function drawPictures(rows, cluster, size, draw) {
  const pictures = new Uint8Array(rows * size * size);
  for (let row = 0; row < rows; ++row) {
    for (let k = 0; k < size * size; ++k) {
      const across = (k % size) - size / 2 + 0.5;
      const down = Math.floor(k / size) - size / 2 + 0.5;
      const shape = Math.cos((Math.hypot(across, down) * (cluster[row] + 2)) / 4);
      pictures[row * size * size + k] = Math.max(0, Math.min(255, 128 + 110 * shape + 20 * bell(draw)));
    }
  }
  return pictures;
}

/// A few hundred rows with everything the page can show. Every third row is outside the sample.
export function small(rows = 600) {
  const draw = random(7);
  const clusters = 6;
  const places = blobs(rows, clusters, draw);
  const made = base("Six made groups", rows, places);
  const { header, arrays } = made;
  addNetwork(made, Uint32Array.from(Array.from({ length: rows }, (_, row) => row).filter((row) => row % 3 !== 2)), places, 5, 40, draw);
  addClusters(made, rows, places.cluster, clusters);
  addValues(made, rows, places.cluster, 10, draw);
  header.label = { name: "kind", names: ["round", "square", "long", "flat"] };
  arrays.label = Uint16Array.from(places.cluster, (which, row) => (row % 40 === 0 ? 65535 : which % 4));
  header.ids = true;
  arrays.ids = Array.from({ length: rows }, (_, row) => `item-${String(row).padStart(4, "0")}`);
  header.texts = true;
  arrays.texts = Array.from({ length: rows }, (_, row) => `A made text of row ${row}, of ${["small", "large", "bright", "dark"][row % 4]} things.`);
  header.pictures = { width: 12, height: 12, channels: 1, all: true };
  arrays.pictures = drawPictures(rows, places.cluster, 12, draw);
  header.choice = { text: "Six clusters were the most stable number.", counts: [4, 5, 6, 7, 8].map((count) =>
    ({ clusters: count, stability: count === 6 ? 0.97 : 0.6 + count / 100, chosen: count === 6 })) };
  header.scores = [["NMI", "91.9 %"], ["accuracy", "95.0 %"]];
  header.provenance = [["command", "mbn report net.mbn rows.csv -o report.html"], ["seed", "7"], ["version", "0.1.0"]];
  header.warnings = ["Column 3 carries 99 % of the variance."];
  return made;
}

export const kHostile = [
  "<script>window.broken = 1</script>", "<img src=x onerror=\"window.broken = 2\">", "\"quoted\", 'twice'", "</script><b>bold</b>",
  "x".repeat(10000), "שלום עולם \u202e evil", "😀👩‍👩‍👧‍👦 emoji", "NUL\0inside", "a,b\nsecond line", " spaces ", "", "=1+1", "&lt;b&gt;", "${alert(1)}",
];

/// Every string that a user can give is hostile.
export function hostile() {
  const rows = 140;
  const made = small(rows);
  const { header, arrays } = made;
  const string = (k) => kHostile[k % kHostile.length];
  header.title = `</title></script>${string(0)}${string(1)}`;
  arrays.ids = Array.from({ length: rows }, (_, row) => string(row));
  arrays.texts = Array.from({ length: rows }, (_, row) => string(row + 3));
  header.label = { name: string(1), names: kHostile };
  arrays.label = Uint16Array.from({ length: rows }, (_, row) => row % kHostile.length);
  header.values.forEach((value, k) => (value.name = string(k)));
  header.clusters.forEach((cluster, k) => {
    cluster.sentence = string(k);
    cluster.marks.forEach((mark) => (mark.column = string(k + 1)));
  });
  header.frames.forEach((frame, k) => (frame.name = string(k)));
  header.choice.text = string(0);
  header.scores = [[string(0), string(1)]];
  header.provenance = kHostile.map((text, k) => [string(k + 1), text]);
  header.warnings = kHostile;
  return made;
}

/// Many rows, with what the library would give them.
export function many(rows) {
  const draw = random(11);
  const clusters = 10;
  const places = blobs(rows, clusters, draw);
  const made = base(`${rows} made rows`, rows, places);
  const sampled = Math.min(rows, 5000);
  addNetwork(made, Uint32Array.from({ length: sampled }, (_, k) => Math.floor((k * rows) / sampled)), places, 6, 100, draw);
  addClusters(made, rows, places.cluster, clusters);
  addValues(made, rows, places.cluster, 0, draw);
  return made;
}

/// Only what no page can do without.
export function bare() {
  const rows = 50;
  return base("Bare", rows, blobs(rows, 3, random(3)));
}

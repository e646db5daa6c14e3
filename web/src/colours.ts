// SPDX-License-Identifier: Apache-2.0
//
// Colours as one number of 32 bits in the order of a canvas: alpha, blue, green, red from the top. The
// alpha byte is the point's weight: 255 is as strong as the point style allows.

export type Rgb = [number, number, number];

export interface Theme {
  dark: boolean;
  background: Rgb;
  grey: Rgb;       // rows that are not meant
  none: Rgb;       // rows without a label or number
}

export const kLight: Theme = { dark: false, background: [253, 253, 252], grey: [206, 208, 212], none: [150, 154, 161] };
export const kDark: Theme = { dark: true, background: [20, 22, 26], grey: [56, 60, 68], none: [110, 116, 126] };

export const kGreyWeight = 120;

export function parseHex(hex: string): Rgb {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  return match ? [parseInt(match[1]!, 16), parseInt(match[2]!, 16), parseInt(match[3]!, 16)] : [128, 128, 128];
}

export function css(colour: Rgb): string {
  return `rgb(${colour[0]} ${colour[1]} ${colour[2]})`;
}

export function pack(colour: Rgb, weight = 255): number {
  return ((weight << 24) | (colour[2] << 16) | (colour[1] << 8) | colour[0]) >>> 0;
}

export function unpack(packed: number): Rgb {
  return [packed & 255, (packed >>> 8) & 255, (packed >>> 16) & 255];
}

/// Light as the eye sees it, 0 to 1.
export function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const level = part / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map((part) => Math.round(from[part]! + (to[part]! - from[part]!) * share)) as Rgb;
}

/// The palette was made for white paper: on a dark ground its dark colours are lifted until they show.
export function shownOn(colour: Rgb, theme: Theme): Rgb {
  if (!theme.dark) return colour;
  let shown = colour;
  for (let share = 0.1; luminance(shown) < 0.16 && share < 0.9; share += 0.1) shown = mix(colour, [255, 255, 255], share);
  return shown;
}

export function paletteOf(hexes: string[], theme: Theme): Rgb[] {
  const colours = hexes.map((hex) => shownOn(parseHex(hex), theme));
  return colours.length ? colours : [[30, 111, 219]];
}

/// 256 steps of a scale. Much is dark on paper and bright on a dark ground.
export function scaleOf(hexes: string[], theme: Theme): Rgb[] {
  const stops = hexes.map(parseHex);
  if (stops.length === 0) stops.push([210, 226, 27], [68, 1, 84]);
  if (theme.dark) stops.reverse();
  const steps: Rgb[] = [];
  for (let k = 0; k < 256; ++k) {
    const at = (k / 255) * (stops.length - 1);
    const below = Math.min(stops.length - 1, Math.floor(at));
    const above = Math.min(stops.length - 1, below + 1);
    steps.push(mix(stops[below]!, stops[above]!, at - below));
  }
  return steps;
}

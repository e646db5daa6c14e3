// SPDX-License-Identifier: Apache-2.0
//
// Which part of the world is seen: its centre, and a zoom of 1 where all of it fits.

export interface View {
  x: number;
  y: number;
  zoom: number;
}

export const kWhole: View = { x: 0, y: 0, zoom: 1 };
const kLeastZoom = 0.3;
const kMostZoom = 2000;
const kMargin = 0.92;

export class Camera {
  view: View = { ...kWhole };
  width = 1;
  height = 1;
  top = 0;      // pixels at the top that tools cover: the whole map fits below them

  constructor(private readonly halfWidth: number, private readonly halfHeight: number) {}

  /// Pixels per unit of the world.
  get scale(): number {
    return this.fitScale * this.view.zoom;
  }

  get fitScale(): number {
    return Math.min(this.width / (2 * this.halfWidth), (this.height - this.top) / (2 * this.halfHeight)) * kMargin;
  }

  /// The pixel at which the view's centre is.
  get middle(): [number, number] {
    return [this.width / 2, (this.height + this.top) / 2];
  }

  toScreen(x: number, y: number): [number, number] {
    const [across, down] = this.middle;
    return [across + (x - this.view.x) * this.scale, down - (y - this.view.y) * this.scale];
  }

  toWorld(left: number, top: number): [number, number] {
    const [across, down] = this.middle;
    return [this.view.x + (left - across) / this.scale, this.view.y - (top - down) / this.scale];
  }

  panned(right: number, down: number): View {
    return clampView({ x: this.view.x - right / this.scale, y: this.view.y + down / this.scale, zoom: this.view.zoom });
  }

  /// Zoomed by a factor so that the place under (left, top) stays there.
  zoomed(factor: number, left = this.middle[0], top = this.middle[1]): View {
    const zoom = Math.min(kMostZoom, Math.max(kLeastZoom, this.view.zoom * factor));
    const [x, y] = this.toWorld(left, top);
    const ratio = this.view.zoom / zoom;
    return clampView({ x: x + (this.view.x - x) * ratio, y: y + (this.view.y - y) * ratio, zoom });
  }
}

/// The centre never leaves the world, so that nobody loses the map.
export function clampView(view: View): View {
  const bound = (number: number) => Math.max(-1.2, Math.min(1.2, Number.isFinite(number) ? number : 0));
  const zoom = Number.isFinite(view.zoom) ? Math.max(kLeastZoom, Math.min(kMostZoom, view.zoom)) : 1;
  return { x: bound(view.x), y: bound(view.y), zoom };
}

export interface PointStyle {
  radius: number;   // in CSS pixels
  alpha: number;
}

/// Many points are small and faint, so that they add up to a density; they grow when one zooms in.
export function pointStyle(points: number, zoom: number, width: number, height: number): PointStyle {
  const spacing = Math.sqrt((width * height) / Math.max(1, points));
  const grow = Math.max(0.6, zoom) ** 0.45;
  const radius = Math.max(0.65, Math.min(7, Math.min(4, 0.23 * spacing) * grow));
  const crowd = Math.log10(Math.max(10, points));
  const thin = 1.25 - 0.15 * crowd - 0.17 * Math.max(0, crowd - 4.9);
  const alpha = Math.max(0.1, Math.min(0.95, thin + 0.12 * Math.log2(Math.max(1, zoom))));
  return { radius, alpha };
}

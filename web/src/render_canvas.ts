// SPDX-License-Identifier: Apache-2.0
//
// Draws points without a graphics card: every point is a small stamp of coverages, blended into a buffer
// of pixels. There is a stamp for each of 16 places within a pixel, so that points move smoothly. The
// buffer has a border as wide as a stamp, so that no stamp needs clipping.
import type { Renderer, Scene } from "./renderer";
import { pack } from "./colours";

const kSteps = 4;               // places within a pixel, each way
const kMostPixels = 3_000_000;  // beyond that a dense screen is drawn at a lower resolution

interface Stamp {
  offsets: Int32Array;
  coverages: Int32Array;        // 0 to 256, with the alpha of the style
}

export class CanvasRenderer implements Renderer {
  readonly kind = "canvas";
  private readonly context: CanvasRenderingContext2D;
  private image: ImageData | null = null;
  private pixels = new Uint32Array(0);
  private ratio = 1;
  private border = 0;
  private stamps: Stamp[] = [];
  private stampKey = "";

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d", { alpha: false })!;
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = Math.min(ratio, Math.max(1, Math.sqrt(kMostPixels / (width * height))));
    this.canvas.width = Math.max(1, Math.round(width * this.ratio));
    this.canvas.height = Math.max(1, Math.round(height * this.ratio));
    this.image = null;
  }

  draw(scene: Scene): void {
    const radius = scene.style.radius * this.ratio;
    // Fewer points are each as strong as those they stand for together.
    this.prepare(Math.ceil(radius + 1.5), radius, 1 - (1 - scene.style.alpha) ** scene.stride);
    this.pixels.fill(pack(scene.theme.background));
    this.blend(scene);
    this.context.putImageData(this.image!, -this.border, -this.border);
  }

  private prepare(border: number, radius: number, alpha: number): void {
    const wide = this.canvas.width + 2 * border;
    if (!this.image || this.border !== border) {
      this.image = new ImageData(wide, this.canvas.height + 2 * border);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.border = border;
    }
    const key = `${radius.toFixed(3)} ${alpha.toFixed(3)} ${wide}`;
    if (key !== this.stampKey) {
      this.stampKey = key;
      this.stamps = makeStamps(radius, alpha, wide);
    }
  }

  private blend({ paint, camera, stride }: Scene): void {
    const { x, y, colours, count } = paint;
    const { pixels, stamps, border, ratio } = this;
    const wide = this.image!.width;
    const scale = camera.scale * ratio;
    const left = camera.middle[0] * ratio - camera.view.x * scale + border;
    const top = camera.middle[1] * ratio + camera.view.y * scale + border;
    const least = border - 1;  // a stamp reaches at most border - 1 pixels
    const right = wide - border;
    const bottom = this.image!.height - border;
    for (let k = 0; k < count; k += stride) {
      const across = left + x[k]! * scale;
      const down = top - y[k]! * scale;
      if (!(across >= least && across < right && down >= least && down < bottom)) continue;
      const column = across | 0;
      const row = down | 0;
      const stamp = stamps[(((down - row) * kSteps) | 0) * kSteps + (((across - column) * kSteps) | 0)]!;
      const { offsets, coverages } = stamp;
      const colour = colours[k]!;
      const redBlue = colour & 0xff00ff;
      const green = colour & 0xff00;
      const weight = (colour >>> 24) + 1;
      const at = row * wide + column;
      for (let m = 0; m < offsets.length; ++m) {
        const place = at + offsets[m]!;
        const under = pixels[place]!;
        const share = (coverages[m]! * weight) >> 8;
        const rest = 256 - share;
        pixels[place] = 0xff000000
          | (((Math.imul(redBlue, share) + Math.imul(under & 0xff00ff, rest)) >>> 8) & 0xff00ff)
          | (((Math.imul(green, share) + Math.imul(under & 0xff00, rest)) >>> 8) & 0xff00);
      }
    }
  }
}

/// Discs with a soft edge of one pixel. Points smaller than a pixel keep the coverage of their area.
function makeStamps(radius: number, alpha: number, wide: number): Stamp[] {
  const stamps: Stamp[] = [];
  const shown = Math.max(radius, 0.7);
  const faint = alpha * Math.min(1, (radius / shown) ** 2);
  const reach = Math.ceil(shown + 0.5);
  for (let down = 0; down < kSteps; ++down) {
    for (let across = 0; across < kSteps; ++across) {
      const offsets: number[] = [];
      const coverages: number[] = [];
      for (let row = -reach; row <= reach; ++row) {
        for (let column = -reach; column <= reach; ++column) {
          const distance = Math.hypot(column + 0.5 - (across + 0.5) / kSteps, row + 0.5 - (down + 0.5) / kSteps);
          const coverage = Math.round(256 * faint * Math.max(0, Math.min(1, shown + 0.5 - distance)));
          if (coverage < 3) continue;
          offsets.push(row * wide + column);
          coverages.push(coverage);
        }
      }
      stamps.push({ offsets: Int32Array.from(offsets), coverages: Int32Array.from(coverages) });
    }
  }
  return stamps;
}

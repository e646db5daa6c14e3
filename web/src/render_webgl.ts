// SPDX-License-Identifier: Apache-2.0
//
// Draws points with WebGL2: one draw call over the arrays of the paint, which are sent again only when
// they change.
import type { Renderer, Scene } from "./renderer";

const kVertex = `#version 300 es
in float x; in float y; in vec4 colour;
uniform vec2 centre; uniform vec2 scale; uniform float lower; uniform float size; uniform float alpha;
out vec4 tint;
void main() {
  gl_Position = vec4((vec2(x, y) - centre) * scale - vec2(0.0, lower), 0.0, 1.0);
  gl_PointSize = size + 1.0;
  tint = vec4(colour.rgb, colour.a * alpha);
}`;

const kFragment = `#version 300 es
precision highp float;
in vec4 tint; uniform float size; out vec4 pixel;
void main() {
  float distance = length(gl_PointCoord - 0.5) * (size + 1.0);
  float coverage = clamp(size * 0.5 + 0.5 - distance, 0.0, 1.0);
  pixel = vec4(tint.rgb, tint.a * coverage);
}`;

/// Whether the context is one of those that compute everything on the processor.
export function isSoftware(gl: WebGL2RenderingContext): boolean {
  let name = String(gl.getParameter(gl.RENDERER));
  if (/^WebKit WebGL$/.test(name)) {
    const extension = gl.getExtension("WEBGL_debug_renderer_info");
    if (extension) name = String(gl.getParameter(extension.UNMASKED_RENDERER_WEBGL));
  }
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class WebglRenderer implements Renderer {
  readonly kind = "webgl";
  private ratio = 1;
  private program: WebGLProgram | null = null;
  private readonly buffers: { [name: string]: WebGLBuffer } = {};
  private readonly places: { [name: string]: WebGLUniformLocation | null } = {};
  private sent = { version: -1, colourVersion: -1 };
  private last: Scene | null = null;

  constructor(readonly canvas: HTMLCanvasElement, private readonly gl: WebGL2RenderingContext) {
    this.start();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.start();
      if (this.last) this.draw(this.last);
    });
  }

  private start(): void {
    const { gl } = this;
    const program = gl.createProgram()!;
    for (const [kind, source] of [[gl.VERTEX_SHADER, kVertex], [gl.FRAGMENT_SHADER, kFragment]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(program) ?? "the shaders do not link");
    }
    gl.useProgram(program);
    this.program = program;
    for (const name of ["x", "y", "colour"]) this.attribute(name);
    for (const name of ["centre", "scale", "lower", "size", "alpha"]) this.places[name] = gl.getUniformLocation(program, name);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
    this.sent = { version: -1, colourVersion: -1 };
  }

  private attribute(name: string): void {
    const { gl } = this;
    const buffer = gl.createBuffer()!;
    const at = gl.getAttribLocation(this.program!, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    if (name === "colour") gl.vertexAttribPointer(at, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    else gl.vertexAttribPointer(at, 1, gl.FLOAT, false, 0, 0);
    this.buffers[name] = buffer;
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  draw(scene: Scene): void {
    const { gl, places, ratio, canvas } = this;
    const { paint, camera, style, theme } = scene;
    this.last = scene;
    this.send(scene);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(theme.background[0] / 255, theme.background[1] / 255, theme.background[2] / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(places["centre"]!, camera.view.x, camera.view.y);
    gl.uniform2f(places["scale"]!, (2 * camera.scale) / camera.width, (2 * camera.scale) / camera.height);
    gl.uniform1f(places["lower"]!, camera.top / camera.height);
    const size = 2 * Math.max(0.7, style.radius * ratio);
    gl.uniform1f(places["size"]!, size);
    gl.uniform1f(places["alpha"]!, style.alpha * Math.min(1, ((2 * style.radius * ratio) / size) ** 2));
    gl.drawArrays(gl.POINTS, 0, paint.count);
  }

  private send({ paint }: Scene): void {
    const { gl, buffers, sent } = this;
    if (paint.version !== sent.version) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers["x"]!);
      gl.bufferData(gl.ARRAY_BUFFER, paint.x, gl.DYNAMIC_DRAW);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers["y"]!);
      gl.bufferData(gl.ARRAY_BUFFER, paint.y, gl.DYNAMIC_DRAW);
      sent.version = paint.version;
    }
    if (paint.colourVersion !== sent.colourVersion) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers["colour"]!);
      gl.bufferData(gl.ARRAY_BUFFER, paint.colours, gl.DYNAMIC_DRAW);
      sent.colourVersion = paint.colourVersion;
    }
  }
}

/** Draws marks with WebGL2. Columns are uploaded once; a redraw with another transform uploads nothing. */

import type { GpuContext } from "./context";
import { channelsOf, type Box, type LinesMark, type Mark } from "../marks/marks";
import { LINES, POINTS, QUADS, type Source } from "./shaders";
import type { Size } from "./software";

type Gl = WebGL2RenderingContext;
type Column = Float32Array | Uint32Array;

/** Where an attribute is found: in a column, from an item on, that many items apart. */
interface Attribute {
  readonly column: Column;
  readonly first?: number;
  readonly step?: number;
}

class Program {
  readonly program: WebGLProgram;
  readonly #uniforms = new Map<string, WebGLUniformLocation | null>();
  readonly #attributes = new Map<string, number>();

  constructor(
    private readonly gl: Gl,
    { vertex, fragment }: Source,
  ) {
    this.program = gl.createProgram();
    for (const [type, text] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`a shader does not compile: ${gl.getProgramInfoLog(this.program)}`);
  }

  uniform(name: string): WebGLUniformLocation | null {
    if (!this.#uniforms.has(name)) this.#uniforms.set(name, this.gl.getUniformLocation(this.program, name));
    return this.#uniforms.get(name)!;
  }

  attribute(name: string): number {
    if (!this.#attributes.has(name)) this.#attributes.set(name, this.gl.getAttribLocation(this.program, name));
    return this.#attributes.get(name)!;
  }
}

export class WebGlRenderer {
  readonly #gl: Gl;
  readonly #canvas: OffscreenCanvas;
  readonly #programs: Record<"points" | "lines" | "quads", Program>;
  readonly #corners: WebGLBuffer;
  /** Freed with the columns: WebGL objects are collected like all others. */
  readonly #buffers = new WeakMap<Column, WebGLBuffer>();

  constructor({ gl, canvas }: GpuContext) {
    this.#gl = gl;
    this.#canvas = canvas;
    this.#programs = { points: new Program(gl, POINTS), lines: new Program(gl, LINES), quads: new Program(gl, QUADS) };
    this.#corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#corners);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1), gl.STATIC_DRAW);
  }

  /** The picture lies at the lower left of the context's canvas, until the next one is drawn. */
  draw({ width, height, dpr }: Size, marks: readonly Mark[]): void {
    const gl = this.#gl;
    const [deviceWidth, deviceHeight] = [Math.round(width * dpr), Math.round(height * dpr)];
    // It only grows: cards of different sizes would allocate its memory anew with every frame.
    if (this.#canvas.width < deviceWidth) this.#canvas.width = deviceWidth;
    if (this.#canvas.height < deviceHeight) this.#canvas.height = deviceHeight;
    this.#reset(deviceWidth, deviceHeight);
    for (const mark of marks) {
      this.#clip(mark.clip, deviceHeight, dpr);
      const program = this.#programs[mark.type === "points" || mark.type === "lines" ? mark.type : "quads"];
      gl.useProgram(program.program);
      const { scaleX, scaleY, offsetX, offsetY } = mark.transform;
      gl.uniform2f(program.uniform("u_scale"), scaleX * dpr, scaleY * dpr);
      gl.uniform2f(program.uniform("u_offset"), offsetX * dpr, offsetY * dpr);
      gl.uniform2f(program.uniform("u_size"), deviceWidth, deviceHeight);
      this.#drawMark(program, mark, dpr);
    }
  }

  /** Sets all state that drawing depends on: the context is shared with renderers that leave it as they like. */
  #reset(width: number, height: number): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindVertexArray(null);
    gl.viewport(0, 0, width, height);
    for (const off of [gl.DEPTH_TEST, gl.CULL_FACE, gl.STENCIL_TEST, gl.SCISSOR_TEST]) gl.disable(off);
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.FUNC_ADD);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  #clip(clip: Box | undefined, deviceHeight: number, dpr: number): void {
    const gl = this.#gl;
    if (!clip) return gl.disable(gl.SCISSOR_TEST);
    const [left, right] = [Math.round(clip.left * dpr), Math.round(clip.right * dpr)];
    const [top, bottom] = [Math.round(clip.top * dpr), Math.round(clip.bottom * dpr)];
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, deviceHeight - bottom, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  #drawMark(program: Program, mark: Mark, dpr: number): void {
    const gl = this.#gl;
    if (mark.type === "points") {
      gl.uniform1f(program.uniform("u_radius"), mark.radius * dpr);
      this.#bind(program, { a_x: { column: mark.x }, a_y: { column: mark.y } }, 0);
      this.#colour(program, mark.colour, 1, 0);
      if (!mark.order) return gl.drawArrays(gl.POINTS, 0, mark.x.length);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#buffer(mark.order, gl.ELEMENT_ARRAY_BUFFER));
      gl.drawElements(gl.POINTS, mark.order.length, gl.UNSIGNED_INT, 0);
    } else if (mark.type === "lines") this.#drawLines(program, mark, dpr);
    else {
      const { x0, x1, low, toLow, high, toHigh, count } =
        mark.type === "rects"
          ? {
              x0: { column: mark.x0 },
              x1: { column: mark.x1 },
              low: { column: mark.y0 },
              toLow: { column: mark.y0 },
              high: { column: mark.y1 },
              toHigh: { column: mark.y1 },
              count: mark.x0.length,
            }
          : {
              x0: { column: mark.x },
              x1: { column: mark.x, first: 1 },
              low: { column: mark.low },
              toLow: { column: mark.low, first: 1 },
              high: { column: mark.high },
              toHigh: { column: mark.high, first: 1 },
              count: mark.x.length - 1,
            };
      this.#bind(program, { a_x: x0, a_toX: x1, a_low: low, a_toLow: toLow, a_high: high, a_toHigh: toHigh }, 1);
      this.#drawQuads(program, mark.colour, 1, count);
    }
  }

  #drawLines(program: Program, { x, y, isJoined, width, colour }: LinesMark, dpr: number): void {
    const step = isJoined ? 1 : 2;
    this.#gl.uniform1f(program.uniform("u_radius"), (width * dpr) / 2);
    this.#bind(
      program,
      {
        a_x: { column: x, step },
        a_y: { column: y, step },
        a_toX: { column: x, first: 1, step },
        a_toY: { column: y, first: 1, step },
      },
      1,
    );
    this.#drawQuads(program, colour, step, isJoined ? x.length - 1 : x.length >> 1);
  }

  #drawQuads(program: Program, colour: number | Uint32Array, step: number, count: number): void {
    const gl = this.#gl;
    const corner = program.attribute("a_corner");
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#corners);
    gl.enableVertexAttribArray(corner);
    gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(corner, 0);
    this.#colour(program, colour, step, 1);
    if (count > 0) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  #bind(program: Program, attributes: Readonly<Record<string, Attribute>>, divisor: 0 | 1): void {
    const gl = this.#gl;
    for (const [name, { column, first = 0, step = 1 }] of Object.entries(attributes)) {
      const at = program.attribute(name);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer(column, gl.ARRAY_BUFFER));
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 1, gl.FLOAT, false, step * 4, first * 4);
      gl.vertexAttribDivisor(at, divisor);
    }
  }

  #colour(program: Program, colour: number | Uint32Array, step: number, divisor: 0 | 1): void {
    const gl = this.#gl;
    const at = program.attribute("a_colour");
    if (typeof colour === "number") {
      gl.disableVertexAttribArray(at);
      return gl.vertexAttrib4f(at, ...channelsOf(colour));
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer(colour, gl.ARRAY_BUFFER));
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 4, gl.UNSIGNED_BYTE, true, step * 4, 0);
    gl.vertexAttribDivisor(at, divisor);
  }

  #buffer(column: Column, target: GLenum): WebGLBuffer {
    let buffer = this.#buffers.get(column);
    if (!buffer) {
      buffer = this.#gl.createBuffer();
      this.#gl.bindBuffer(target, buffer);
      this.#gl.bufferData(target, column, this.#gl.STATIC_DRAW);
      this.#buffers.set(column, buffer);
    }
    return buffer;
  }
}

/** Draws all points with the page's WebGL2 context. Columns are uploaded once; a moved camera uploads nothing. */

import { gpu } from "$public/charts";
import type { Palette } from "../colours";
import type { PointScene } from "./scene";
import { depthReach } from "./scene";
import { FRAGMENT, VERTEX } from "./shaders";

type Gl = WebGL2RenderingContext;
type GpuContext = NonNullable<ReturnType<typeof gpu.context>>;

export class GpuPoints {
  readonly #gl: Gl;
  readonly #program: WebGLProgram;
  readonly #attributes: WebGLVertexArrayObject;
  /** Freed with the columns. */
  readonly #buffers = new WeakMap<ArrayBufferView, WebGLBuffer>();
  readonly #textures = new WeakMap<Palette, WebGLTexture>();

  constructor(private readonly context: GpuContext) {
    this.#gl = context.gl;
    this.#program = programOf(this.#gl);
    this.#attributes = this.#gl.createVertexArray();
  }

  /** Draws over the canvas of `pen`, which has the size of the scene. False if the context is lost. */
  draw(pen: CanvasRenderingContext2D, scene: PointScene): boolean {
    const { canvas, gl } = this.context;
    const { width, height } = pen.canvas;
    gpu.takeContext(this);
    if (canvas.width < width) canvas.width = width;
    if (canvas.height < height) canvas.height = height;
    this.#reset(width, height, scene.positions.z !== null);
    this.#uniforms(scene);
    this.#bind(scene);
    gl.drawArrays(gl.POINTS, 0, scene.positions.x.length);
    gl.bindVertexArray(null);
    // Its loss is reported later than it happens; the picture would be empty.
    if (gl.isContextLost()) return false;
    pen.drawImage(canvas, 0, canvas.height - height, width, height, 0, 0, width, height);
    return true;
  }

  /** Sets all state that drawing depends on: the context is shared. Nearer points hide farther ones. */
  #reset(width: number, height: number, isDeep: boolean): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    for (const off of [gl.CULL_FACE, gl.STENCIL_TEST, gl.SCISSOR_TEST]) gl.disable(off);
    gl.colorMask(true, true, true, true);
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
    if (isDeep) gl.enable(gl.DEPTH_TEST);
    else gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.FUNC_ADD);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
    gl.clearDepth(1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.#program);
  }

  #uniforms({ plane, size, dpr, radiusFactor, styles, positions, camera }: PointScene): void {
    const gl = this.#gl;
    const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(this.#program, name);
    gl.uniform4f(uniform("u_u"), ...plane.u);
    gl.uniform4f(uniform("u_v"), ...plane.v);
    gl.uniform4f(uniform("u_w"), ...plane.w);
    gl.uniform2f(uniform("u_size"), size.width, size.height);
    gl.uniform1f(uniform("u_dpr"), dpr);
    gl.uniform1f(uniform("u_radius"), radiusFactor);
    gl.uniform1f(uniform("u_reach"), positions.z ? depthReach(camera) : 0);
    gl.uniform1i(uniform("u_palette"), 0);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture(styles.palette));
  }

  #bind({ positions, styles }: PointScene): void {
    const gl = this.#gl;
    gl.bindVertexArray(this.#attributes);
    const at = (name: string): number => gl.getAttribLocation(this.#program, name);
    for (const [name, column] of [
      ["a_x", positions.x],
      ["a_y", positions.y],
      ["a_z", positions.z],
    ] as const) {
      // prettier-ignore
      if (!column) {
        gl.disableVertexAttribArray(at(name));
        gl.vertexAttrib1f(at(name), 0);
        continue;
      }
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer(column));
      gl.enableVertexAttribArray(at(name));
      gl.vertexAttribPointer(at(name), 1, gl.FLOAT, false, 0, 0);
    }
    for (const [name, column] of [
      ["a_style", styles.styles],
      ["a_radius", styles.radii],
      ["a_emphasis", styles.emphasis],
    ] as const) {
      // prettier-ignore
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer(column));
      gl.enableVertexAttribArray(at(name));
      gl.vertexAttribIPointer(at(name), 1, gl.UNSIGNED_BYTE, 0, 0);
    }
  }

  #buffer(column: Float32Array | Uint8Array): WebGLBuffer {
    const gl = this.#gl;
    let buffer = this.#buffers.get(column);
    if (!buffer) {
      buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, column, gl.STATIC_DRAW);
      this.#buffers.set(column, buffer);
    }
    return buffer;
  }

  /** Colours, with 255 as alpha where a style is a ring. */
  #texture(palette: Palette): WebGLTexture {
    const gl = this.#gl;
    let texture = this.#textures.get(palette);
    if (!texture) {
      texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
      const texels = Uint8Array.from({ length: palette.colours.length * 4 }, (_, at) => {
        const [style, channel] = [at >> 2, at & 3];
        return channel === 3 ? palette.rings[style]! * 255 : (palette.colours[style]! >> (16 - 8 * channel)) & 255;
      });
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, palette.colours.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
      this.#textures.set(palette, texture);
    }
    return texture;
  }
}

function programOf(gl: Gl): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    // prettier-ignore
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`a shader does not compile: ${gl.getProgramInfoLog(program)}`);
  return program;
}

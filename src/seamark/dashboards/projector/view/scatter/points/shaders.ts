/** The program that draws points with WebGL2: the camera is a uniform, each column an attribute. */

import { ALPHAS } from "../colours";
import { FAR_ALPHA, FAR_SIZE, GROWTH, NEAR_SIZE, RING_PX } from "./raster";

const float = (value: number): string => value.toFixed(4);

export const VERTEX = `#version 300 es
in float a_x;
in float a_y;
in float a_z;
in uint a_style;
in uint a_radius;
in uint a_emphasis;
uniform vec4 u_u;
uniform vec4 u_v;
uniform vec4 u_w;
uniform vec2 u_size;
uniform float u_dpr;
uniform float u_radius;
uniform float u_reach; // 0: flat
uniform sampler2D u_palette;
flat out vec4 v_colour;
flat out float v_radius;
flat out float v_isRing;
const float ALPHAS[4] = float[4](${ALPHAS.map(float).join(", ")});
void main() {
  if (a_emphasis == 0u || isnan(a_x) || isnan(a_y) || isnan(a_z)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }
  vec4 position = vec4(a_x, a_y, a_z, 1.0);
  vec2 pixel = vec2(dot(u_u, position), dot(u_v, position));
  float near = u_reach > 0.0 ? clamp((dot(u_w, position) + u_reach) / (2.0 * u_reach), 0.0, 1.0) : 1.0;
  float grown = a_emphasis == 3u ? ${float(GROWTH)} : 1.0;
  vec4 style = texelFetch(u_palette, ivec2(int(a_style), 0), 0);
  float size = u_reach > 0.0 ? mix(${float(FAR_SIZE)}, ${float(NEAR_SIZE)}, near) : 1.0;
  v_radius = float(a_radius) * 0.25 * u_radius * u_dpr * grown * size;
  v_isRing = style.a;
  v_colour = vec4(style.rgb, ALPHAS[a_emphasis] * mix(${float(FAR_ALPHA)}, 1.0, near));
  gl_PointSize = 2.0 * (v_radius + 1.0);
  gl_Position = vec4(pixel.x / u_size.x * 2.0 - 1.0, 1.0 - pixel.y / u_size.y * 2.0, 0.99 - 1.98 * near, 1.0);
}`;

export const FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 v_colour;
flat in float v_radius;
flat in float v_isRing;
uniform float u_dpr;
out vec4 o_colour;
void main() {
  float away = length(gl_PointCoord - 0.5) * 2.0 * (v_radius + 1.0);
  float hole = v_isRing * clamp(v_radius - ${float(RING_PX)} * u_dpr + 0.5 - away, 0.0, 1.0);
  float covered = clamp(v_radius + 0.5 - away, 0.0, 1.0) - hole;
  if (covered <= 0.0) discard;
  float alpha = covered * v_colour.a;
  o_colour = vec4(v_colour.rgb * alpha, alpha);
}`;

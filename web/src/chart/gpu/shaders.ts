/** The three programs that draw all marks. Positions come in a mark's own units; scale, offset and size are in device pixels. */

const PLACE = `#version 300 es
precision highp float;
uniform vec2 u_scale, u_offset, u_size;
vec2 toPixel(vec2 value) { return value * u_scale + u_offset; }
vec4 toClip(vec2 pixel) {
  // Not a number: outside of everything.
  if (!(pixel.x - pixel.x == 0.0 && pixel.y - pixel.y == 0.0)) return vec4(2.0, 2.0, 2.0, 1.0);
  return vec4(pixel.x / u_size.x * 2.0 - 1.0, 1.0 - pixel.y / u_size.y * 2.0, 0.0, 1.0);
}
`;

const PAINT = `#version 300 es
precision highp float;
in vec4 v_colour;
out vec4 colour;
void paint(float covered) { float alpha = covered * v_colour.a; colour = vec4(v_colour.rgb * alpha, alpha); }
`;

export interface Source {
  readonly vertex: string;
  readonly fragment: string;
}

export const POINTS: Source = {
  vertex: `${PLACE}
in float a_x, a_y; in vec4 a_colour;
uniform float u_radius;
out vec4 v_colour;
void main() {
  gl_Position = toClip(toPixel(vec2(a_x, a_y)));
  gl_PointSize = 2.0 * u_radius + 2.0;
  v_colour = a_colour;
}`,
  fragment: `${PAINT}
uniform float u_radius;
void main() {
  float away = length((gl_PointCoord - 0.5) * (2.0 * u_radius + 2.0));
  paint(clamp(u_radius + 0.5 - away, 0.0, 1.0));
}`,
};

/** A quad around each line; a pixel is covered by its distance from the line. */
export const LINES: Source = {
  vertex: `${PLACE}
in vec2 a_corner; in float a_x, a_y, a_toX, a_toY; in vec4 a_colour;
uniform float u_radius;
out vec4 v_colour; out vec2 v_from; out vec2 v_to; out vec2 v_pixel;
void main() {
  v_from = toPixel(vec2(a_x, a_y));
  v_to = toPixel(vec2(a_toX, a_toY));
  vec2 along = v_to - v_from;
  float size = length(along);
  along = size > 0.0 ? along / size : vec2(1.0, 0.0);
  float reach = u_radius + 1.0;
  v_pixel = mix(v_from - along * reach, v_to + along * reach, a_corner.x)
    + vec2(-along.y, along.x) * reach * (a_corner.y * 2.0 - 1.0);
  gl_Position = toClip(v_pixel);
  v_colour = a_colour;
}`,
  fragment: `${PAINT}
in vec2 v_from; in vec2 v_to; in vec2 v_pixel;
uniform float u_radius;
void main() {
  vec2 along = v_to - v_from;
  float share = clamp(dot(v_pixel - v_from, along) / max(dot(along, along), 1e-9), 0.0, 1.0);
  paint(clamp(u_radius + 0.5 - length(v_pixel - v_from - along * share), 0.0, 1.0));
}`,
};

/** Between two values of x, from a low to a high line: a rectangle where both are level. */
export const QUADS: Source = {
  vertex: `${PLACE}
in vec2 a_corner; in float a_x, a_toX, a_low, a_toLow, a_high, a_toHigh; in vec4 a_colour;
out vec4 v_colour;
void main() {
  vec2 low = mix(vec2(a_x, a_low), vec2(a_toX, a_toLow), a_corner.x);
  vec2 high = mix(vec2(a_x, a_high), vec2(a_toX, a_toHigh), a_corner.x);
  gl_Position = toClip(toPixel(mix(low, high, a_corner.y)));
  v_colour = a_colour;
}`,
  fragment: `${PAINT}
void main() { paint(1.0); }`,
};

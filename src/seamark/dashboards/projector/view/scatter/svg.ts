/** The picture as an SVG: every shown point, the thumbnails, labels and lines over them. */

import type { Size } from "$public/charts";
import { downloads } from "$public/core";
import { pixelOf } from "./camera";
import { ALPHAS, EMPHASISED, hexOf, HIDDEN, RADIUS_STEPS, type PointStyles } from "./colours";
import { AREA_ALPHA, DASH, HALO_PX, MARK_RING_PX } from "./overlay/draw";
import type { Shape } from "./overlay/shapes";
import type { PlacedThumbnail } from "./overlay/thumbnails";
import type { Pickable } from "./picking";
import { DEPTH_ALPHAS, DEPTH_SIZES, depthOrder, DEPTHS, GROWTH } from "./points/raster";
import { RowSample } from "./points/row_sample";

const escapeXml = downloads.escapeXml;

export interface SvgPicture {
  readonly pickable: Pickable;
  readonly styles: PointStyles;
  readonly radiusFactor: number;
  /** Of three dimensions, in units. */
  readonly depthReach: number;
  readonly shapes: readonly Shape[];
  readonly size: Size;
  readonly titles: readonly string[];
  /** Beside the picture, which is so much wider. */
  readonly legend: { readonly shapes: readonly Shape[]; readonly widthPx: number } | null;
  /** The thumbnails to draw, by row, as data addresses. */
  readonly images: ReadonlyMap<number, string>;
  /** CSS colour of a token. */
  colour(token: string): string;
  readonly fontFamily: string;
}

export function toSvg(picture: SvgPicture): string {
  const { size, colour, fontFamily, legend } = picture;
  const height = size.height;
  const width = size.width + (legend?.widthPx ?? 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(fontFamily)}">`,
    `<rect width="${width}" height="${height}" fill="${colour("--surface")}"/>`,
    // What lies over the edge of the picture must not lie in the legend.
    `<svg width="${size.width}" height="${height}">`,
    ...pointElements(picture),
    ...picture.shapes.map((shape) => shapeElement(shape, picture)),
    ...titleElements(picture),
    "</svg>",
    ...(legend?.shapes ?? []).map((shape) => shapeElement(shape, picture)),
    "</svg>",
  ].join("\n");
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Neighbouring points of one colour, shape, emphasis and depth are one group, which keeps the file short. */
function pointElements({ pickable, styles, radiusFactor, size, depthReach }: SvgPicture): string[] {
  const { positions, plane } = pickable;
  const all = new RowSample(positions.x).all;
  const order = positions.z && depthOrder(positions, plane, all, depthReach);
  const groups = new Map<number, string[]>();
  for (const [at, row] of (order?.rows ?? all).entries()) {
    const emphasis = styles.emphasis[row]!;
    if (emphasis === HIDDEN) continue;
    const { x, y } = pixelOf(plane, positions, row);
    if (!(x >= 0 && y >= 0 && x <= size.width && y <= size.height)) continue;
    const depth = order ? order.depths[at]! : DEPTHS - 1;
    const growth = (emphasis === EMPHASISED ? GROWTH : 1) * (order ? DEPTH_SIZES[depth]! : 1);
    const radius = (styles.radii[row]! / RADIUS_STEPS) * radiusFactor * growth;
    const key = (depth * 4 + emphasis) * 256 + styles.styles[row]!;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"/>`);
  }
  return [...groups].map(([key, circles]) => {
    const [depth, emphasis, style] = [key >> 10, (key >> 8) & 3, key & 255];
    const colour = hexOf(styles.palette.colours[style]!);
    const isRing = styles.palette.rings[style] === 1;
    const paint = isRing ? `fill="none" stroke="${colour}" stroke-width="1.2"` : `fill="${colour}"`;
    const alpha = ALPHAS[emphasis]! * (order ? DEPTH_ALPHAS[depth]! : 1);
    return `<g ${paint} opacity="${Number(alpha.toFixed(3))}">${circles.join("")}</g>`;
  });
}

function shapeElement(shape: Shape, { colour, images }: SvgPicture): string {
  if (shape.type === "segments") {
    const path = Array.from({ length: shape.ends.length / 4 }, (_, at) => {
      const [x0, y0, x1, y1] = shape.ends.slice(at * 4, at * 4 + 4).map(round);
      return `M${x0} ${y0}L${x1} ${y1}`;
    }).join("");
    const dash = shape.isDashed ? ` stroke-dasharray="${DASH.join(" ")}"` : "";
    return `<path d="${path}" fill="none" stroke="${colour(shape.colour)}" stroke-width="${shape.width}" opacity="${shape.alpha}"${dash}/>`;
  }
  if (shape.type === "ring")
    return `<circle cx="${round(shape.at.x)}" cy="${round(shape.at.y)}" r="${shape.radius}" fill="none" stroke="${colour(shape.colour)}" stroke-width="${shape.width}"/>`;
  if (shape.type === "mark") return markElement(shape);
  if (shape.type === "ramp") return rampElement(shape);
  if (shape.type === "text")
    return `<text x="${round(shape.left)}" y="${round(shape.middle)}" dominant-baseline="central" font-size="${shape.sizePx}" font-weight="${shape.isBold ? 600 : 400}" fill="${colour(shape.colour)}" stroke="${colour("--surface")}" stroke-width="${HALO_PX}" paint-order="stroke" stroke-linejoin="round">${escapeXml(shape.text)}</text>`;
  if (shape.type === "area") {
    const corners = shape.polygon.x.map((x, at) => `${round(x)},${round(shape.polygon.y[at]!)}`).join(" ");
    return `<polygon points="${corners}" fill="${colour("--accent")}" fill-opacity="${AREA_ALPHA}" stroke="${colour("--accent")}"/>`;
  }
  return imageElement(shape, images);
}

function markElement({ at, radius, colour, isRing }: Extract<Shape, { type: "mark" }>): string {
  const paint = isRing ? `fill="none" stroke="${colour}" stroke-width="${MARK_RING_PX}"` : `fill="${colour}"`;
  return `<circle cx="${round(at.x)}" cy="${round(at.y)}" r="${isRing ? radius - MARK_RING_PX / 2 : radius}" ${paint}/>`;
}

function rampElement({ left, top, width, height, colours }: Extract<Shape, { type: "ramp" }>): string {
  const stops = colours.map((colour, at) => `<stop offset="${at / (colours.length - 1)}" stop-color="${colour}"/>`);
  return `<linearGradient id="ramp">${stops.join("")}</linearGradient><rect x="${left}" y="${round(top)}" width="${width}" height="${height}" fill="url(#ramp)"/>`;
}

/** A file cannot refer to the sprite on the server, so it contains the thumbnails. */
function imageElement(
  { row, left, top, width, height, alpha, tint }: PlacedThumbnail,
  images: SvgPicture["images"],
): string {
  const image = images.get(row);
  if (image === undefined) return "";
  const place = `x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}"${alpha < 1 ? ` opacity="${alpha}"` : ""}`;
  const tinted = tint === null ? "" : `<rect ${place} fill="${tint}" style="mix-blend-mode:multiply"/>`;
  return `<image ${place} href="${escapeXml(image)}"/>${tinted}`;
}

function titleElements({ titles, size: { width, height }, colour }: SvgPicture): string[] {
  const [x, y] = titles;
  if (x === undefined || y === undefined) return [];
  const text = (attributes: string, title: string): string =>
    `<text ${attributes} text-anchor="middle" font-size="11" fill="${colour("--text-2")}">${escapeXml(title)}</text>`;
  return [
    text(`x="${width / 2}" y="${height - 6}"`, x),
    text(`transform="translate(12 ${height / 2}) rotate(-90)"`, y),
  ];
}

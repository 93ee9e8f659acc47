/** The picture as an SVG: every shown point, the thumbnails, labels and lines over them. */

import type { Size } from "$public/charts";
import { downloads } from "$public/core";
import { pixelOf } from "./camera";
import { ALPHAS, EMPHASISED, HIDDEN, RADIUS_STEPS, type PointStyles } from "./colours";
import { AREA_ALPHA, DASH, HALO_PX } from "./overlay/draw";
import type { Shape } from "./overlay/shapes";
import type { PlacedThumbnail } from "./overlay/thumbnails";
import type { Pickable } from "./picking";
import { GROWTH } from "./points/raster";

const escapeXml = downloads.escapeXml;

export interface SvgPicture {
  readonly pickable: Pickable;
  readonly styles: PointStyles;
  readonly radiusFactor: number;
  readonly shapes: readonly Shape[];
  readonly size: Size;
  readonly titles: readonly string[];
  /** The thumbnails to draw, by row, as data addresses. */
  readonly images: ReadonlyMap<number, string>;
  /** CSS colour of a token. */
  colour(token: string): string;
  readonly fontFamily: string;
}

export function toSvg(picture: SvgPicture): string {
  const { size, colour, fontFamily } = picture;
  const { width, height } = size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(fontFamily)}">`,
    `<rect width="${width}" height="${height}" fill="${colour("--surface")}"/>`,
    ...pointElements(picture),
    ...picture.shapes.map((shape) => shapeElement(shape, picture)),
    ...titleElements(picture),
    "</svg>",
  ].join("\n");
}

const round = (value: number): number => Math.round(value * 10) / 10;
const hex = (rgb: number): string => `#${rgb.toString(16).padStart(6, "0")}`;

/** Points of one colour, shape and emphasis are one group, which keeps the file short. */
function pointElements({ pickable, styles, radiusFactor, size }: SvgPicture): string[] {
  const groups = new Map<number, string[]>();
  for (let row = 0; row < pickable.positions.x.length; row += 1) {
    const emphasis = styles.emphasis[row]!;
    if (emphasis === HIDDEN) continue;
    const { x, y } = pixelOf(pickable.plane, pickable.positions, row);
    if (!(x >= 0 && y >= 0 && x <= size.width && y <= size.height)) continue;
    const radius = (styles.radii[row]! / RADIUS_STEPS) * radiusFactor * (emphasis === EMPHASISED ? GROWTH : 1);
    const key = emphasis * 256 + styles.styles[row]!;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"/>`);
  }
  return [...groups].map(([key, circles]) => {
    const [emphasis, style] = [key >> 8, key & 255];
    const colour = hex(styles.palette.colours[style]!);
    const isRing = styles.palette.rings[style] === 1;
    const paint = isRing ? `fill="none" stroke="${colour}" stroke-width="1.2"` : `fill="${colour}"`;
    return `<g ${paint} opacity="${ALPHAS[emphasis]}">${circles.join("")}</g>`;
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
  if (shape.type === "text")
    return `<text x="${round(shape.left)}" y="${round(shape.middle)}" dominant-baseline="central" font-size="${shape.sizePx}" font-weight="${shape.isBold ? 600 : 400}" fill="${colour(shape.colour)}" stroke="${colour("--surface")}" stroke-width="${HALO_PX}" paint-order="stroke" stroke-linejoin="round">${escapeXml(shape.text)}</text>`;
  if (shape.type === "area") {
    const corners = shape.polygon.x.map((x, at) => `${round(x)},${round(shape.polygon.y[at]!)}`).join(" ");
    return `<polygon points="${corners}" fill="${colour("--accent")}" fill-opacity="${AREA_ALPHA}" stroke="${colour("--accent")}"/>`;
  }
  return imageElement(shape, images);
}

/** A file cannot refer to the sprite on the server, so it contains the thumbnails. */
function imageElement({ row, left, top, width, height, alpha }: PlacedThumbnail, images: SvgPicture["images"]): string {
  const image = images.get(row);
  if (image === undefined) return "";
  return `<image x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}"${alpha < 1 ? ` opacity="${alpha}"` : ""} href="${escapeXml(image)}"/>`;
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

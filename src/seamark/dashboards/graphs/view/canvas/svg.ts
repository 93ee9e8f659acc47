/** A scene as SVG text. Names may hold anything, so all text is escaped. */

import { downloads } from "$public/core";
import type { GraphColours } from "./colours";
import { drawScene } from "./draw";
import { drawLegend, LEGEND_PX, MIN_LEGEND_WIDTH_PX } from "./legend";
import { HALO_PX, type Paint, type PathSink, type Pen, type TextStyle } from "./pen";
import { PreparedGraph } from "./prepared_graph";
import type { Scene } from "./scene";

const MARGIN_PX = 24;
const escapeXml = downloads.escapeXml;

/** The whole graph, at zoom 1. */
export function sceneToSvg(scene: Scene, colours: GraphColours): string {
  const width = Math.ceil(Math.max(scene.layout.width, scene.legend ? MIN_LEGEND_WIDTH_PX : 0) + 2 * MARGIN_PX);
  const { legend } = scene;
  const height = Math.ceil(scene.layout.height + 2 * MARGIN_PX) + (legend ? LEGEND_PX : 0);
  const pen = new SvgPen();
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, zoom: 1 };
  drawScene(pen, scene, new PreparedGraph(scene), colours, all);
  const place = { x: 0, y: scene.layout.height + MARGIN_PX / 2, width: width - 2 * MARGIN_PX };
  if (legend) drawLegend(pen, legend, colours, place);
  const box = `${-MARGIN_PX} ${-MARGIN_PX} ${width} ${height}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}" font-family="${escapeXml(colours.named.font)}">`,
    `<title>${escapeXml(scene.graph.title)}</title>`,
    `<rect x="${-MARGIN_PX}" y="${-MARGIN_PX}" width="${width}" height="${height}" fill="${escapeXml(colours.named.bg)}"/>`,
    ...pen.parts,
    "</svg>",
  ].join("\n");
}

class SvgPen implements Pen {
  readonly parts: string[] = [];

  rect(x: number, y: number, width: number, height: number, radius: number, paint: Paint): void {
    const place = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}"`;
    this.parts.push(`<rect ${place}${attributesOf(paint)}/>`);
  }

  circle(x: number, y: number, radius: number, paint: Paint): void {
    this.parts.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${radius}"${attributesOf(paint)}/>`);
  }

  path(trace: (sink: PathSink) => void, paint: Paint): void {
    const sink = new PathText();
    trace(sink);
    if (sink.text) this.parts.push(`<path d="${sink.text}"${attributesOf(paint)}/>`);
  }

  text(x: number, y: number, text: string, { size, weight, fill, align, halo }: TextStyle): void {
    const anchor = { left: "start", center: "middle", right: "end" }[align];
    const style = `font-size="${size}" font-weight="${weight}" fill="${escapeXml(fill)}" text-anchor="${anchor}"`;
    const place = `x="${round(x)}" y="${round(y)}" dominant-baseline="central"`;
    const line = halo ? ` stroke="${escapeXml(halo)}" stroke-width="${HALO_PX}" paint-order="stroke"` : "";
    if (text) this.parts.push(`<text ${place} ${style}${line}>${escapeXml(text)}</text>`);
  }
}

class PathText implements PathSink {
  text = "";

  moveTo(x: number, y: number): void {
    this.#add("M", x, y);
  }

  lineTo(x: number, y: number): void {
    this.#add("L", x, y);
  }

  quadraticCurveTo(...points: [number, number, number, number]): void {
    this.#add("Q", ...points);
  }

  bezierCurveTo(...points: [number, number, number, number, number, number]): void {
    this.#add("C", ...points);
  }

  #add(command: string, ...points: number[]): void {
    this.text += command + points.map(round).join(" ");
  }
}

function attributesOf({ fill, stroke, width = 1, dash }: Paint): string {
  const line = stroke ? ` stroke="${escapeXml(stroke)}" stroke-width="${round(width)}"` : "";
  return ` fill="${fill ? escapeXml(fill) : "none"}"${line}${dash ? ` stroke-dasharray="${dash.join(" ")}"` : ""}`;
}

const round = (value: number): number => Math.round(value * 100) / 100;

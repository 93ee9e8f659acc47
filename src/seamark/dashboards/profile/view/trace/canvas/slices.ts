/** Draws the slices of lanes: tints with an edge, blocks where they are narrow, outlines for waits; then their names. */

import { BREAKDOWN_PARTS } from "../../wire";
import { TRACK_TOP_PX, type Lane } from "../tracks/layout";
import { PART_OF_ACTIVITY, PHASE, WAIT, type TraceColours } from "./colours";
import { RectList } from "./rects";
import { toX, type Scene } from "./scene";
import type { TextFitter } from "./text";

const GAP_PX = 0.7;
const MIN_WIDTH_PX = 0.8;
/** Below this a slice is a block. */
export const BLOCK_PX = 5;
const MIN_TEXT_PX = 34;
const EDGE_PX = 1.5;
const DENSITY_TOP_PX = 6;

const lists = (): RectList[] => BREAKDOWN_PARTS.map(() => new RectList());

export class SlicePainter {
  readonly #tints = lists();
  readonly #blocks = lists();
  readonly #thins = lists();
  /** Names: the position of the slice, x, y and the room of each. */
  #texts = new Float64Array(4096);
  #textCount = 0;

  paint(
    context: CanvasRenderingContext2D,
    scene: Scene,
    lanes: readonly Lane[],
    offset: number,
    colours: TraceColours,
    fitter: TextFitter,
  ): void {
    // prettier-ignore
    if (!scene.index) return;
    this.#clear();
    for (const lane of lanes) this.#collect(scene, lane, offset + lane.top);
    this.#fill(context, colours);
    this.#write(context, scene, colours, fitter);
  }

  #clear(): void {
    this.#textCount = 0;
    for (const list of [...this.#tints, ...this.#blocks, ...this.#thins]) list.clear();
  }

  #collect(scene: Scene, lane: Lane, top: number): void {
    const { rows, style, rowPx, slicePx } = lane;
    for (let depth = 0; depth < rows.length; depth += 1) {
      const y = style === "density" ? top + DENSITY_TOP_PX : top + TRACK_TOP_PX + depth * rowPx;
      if (y + slicePx < 0 || y > scene.height) continue;
      this.#collectRow(scene, rows[depth]!, y, slicePx, style);
    }
  }

  #collectRow(scene: Scene, row: number, y: number, height: number, style: Lane["style"]): void {
    const { span, width } = scene;
    const index = scene.index!;
    const { start, duration, activity, count } = index.slices;
    const scale = width / (span.end - span.start);
    const end = index.endOf(row);
    let drawnTo = -Infinity;
    for (let at = index.firstAfter(row, span.start); at < end; at += 1) {
      const from = Math.max((start[at]! - span.start) * scale, -4);
      if (from > width) break;
      const to = Math.min((start[at]! + duration[at]! - span.start) * scale, width + 4);
      // Zoomed out over an old window: what ends inside the pixel that is drawn already adds nothing.
      if (to < drawnTo) continue;
      const wide = Math.max(to - from - GAP_PX, MIN_WIDTH_PX);
      drawnTo = Math.max(to, from + MIN_WIDTH_PX);
      const part = PART_OF_ACTIVITY[activity[at]!]!;
      if (style !== "slices") this.#thins[part]!.push(from, y, wide, height);
      else if (wide < BLOCK_PX || count[at]! > 1) this.#blocks[part]!.push(from, y, wide, height);
      else {
        this.#tints[part]!.push(from, y, wide, height);
        if (wide > MIN_TEXT_PX) this.#addText(at, Math.max(4, from + 4), y + height / 2 + 1, to);
      }
    }
  }

  #addText(at: number, x: number, y: number, to: number): void {
    const index = this.#textCount * 4;
    if (index + 4 > this.#texts.length) {
      const larger = new Float64Array(this.#texts.length * 2);
      larger.set(this.#texts);
      this.#texts = larger;
    }
    this.#texts[index] = at;
    this.#texts[index + 1] = x;
    this.#texts[index + 2] = y;
    this.#texts[index + 3] = to - x - 5;
    this.#textCount += 1;
  }

  #fill(context: CanvasRenderingContext2D, colours: TraceColours): void {
    BREAKDOWN_PARTS.forEach((_, part) => {
      context.fillStyle = colours.thins[part]!;
      this.#thins[part]!.fill(context);
      context.fillStyle = colours.blocks[part]!;
      this.#blocks[part]!.fill(context);
      const tints = this.#tints[part]!;
      context.fillStyle = colours.tints[part]!;
      tints.fill(context);
      if (part === WAIT) {
        context.strokeStyle = colours.named.line2;
        context.lineWidth = 1;
        tints.outline(context);
      } else if (part !== PHASE) {
        context.fillStyle = colours.edges[part]!;
        tints.fill(context, EDGE_PX);
      }
    });
  }

  #write(context: CanvasRenderingContext2D, scene: Scene, colours: TraceColours, fitter: TextFitter): void {
    const { name } = scene.index!.slices;
    context.font = `400 11px ${colours.named.font}`;
    context.fillStyle = colours.named.text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (let at = 0; at < this.#textCount * 4; at += 4) {
      const text = fitter.fit(scene.nameOf(name[this.#texts[at]!]!), this.#texts[at + 3]!);
      if (text !== "") context.fillText(text, this.#texts[at + 1]!, this.#texts[at + 2]!);
    }
  }
}

/** Left edge and width of a slice on the screen, never narrower than `least`. */
export function slicePixels(
  scene: Scene,
  startNs: number,
  durationNs: number,
  least: number,
): [x: number, width: number] {
  // prettier-ignore
  const from = toX(scene, startNs);
  const to = toX(scene, startNs + durationNs);
  return [from, Math.max(to - from - GAP_PX, least)];
}

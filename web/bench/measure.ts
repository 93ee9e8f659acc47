/** Milliseconds from data to pixels, and frames while panning. Called from outside, one case at a time. */

import { createLayer, type Layer } from "../src/chart/layer/layer";
import { LINEAR } from "../src/chart/scale";
import { SHOWN, type Style, type View } from "../src/chart/paint/scene";
import type { SeriesSet } from "../src/chart/series";
import { curves } from "./data";

const W = 420;
const H = 260;

function styleFor(set: SeriesSet): Style {
  return {
    mode: "auto", colours: Uint32Array.from(set.series, (_, index) => (index * 2654435761) & 0xffffff), flags: new Uint8Array(set.series.length).fill(SHOWN),
    highlight: [], alpha: 0, envelope: true, raw: true, markers: true, fillAlpha: 0.24,
    look: { lineWidth: 1.4, focusWidth: 2.2, rawAlpha: 0.22, dimAlpha: 0.22, surface: 0xffffff, ramp: [0xe2c27c, 0x23316b] },
  };
}

function viewOf(x0: number, x1: number): View {
  return { x0, x1, y0: 0, y1: 6, xScale: LINEAR, yScale: LINEAR, w: W, h: H, dpr: 1, pad: 5 };
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

function canvasOf(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = W + 10;
  canvas.height = H + 10;
  document.body.append(canvas);
  return canvas;
}

interface Drawing {
  readonly totalMs: number;
  readonly workMs: number;
}

/** One fresh card for each set; until the last one is drawn. */
async function draw(layer: Layer, sets: readonly SeriesSet[]): Promise<Drawing> {
  const canvases = sets.map(canvasOf);
  await nextFrame();
  const start = performance.now();
  let workMs = 0;
  const cards = await Promise.all(sets.map((set, index) => new Promise<{ dispose(): void }>((resolve) => {
    const card = layer.attach(canvases[index]!, { onpaint: ({ millis }) => { workMs += millis; resolve(card); } });
    card.setData(set);
    card.setStyle(styleFor(set));
    card.setView(viewOf(0, 100_000));
  })));
  const totalMs = performance.now() - start;
  await nextFrame();
  for (const card of cards) card.dispose();
  for (const canvas of canvases) canvas.remove();
  return { totalMs, workMs };
}

const CASES: Readonly<Record<string, () => SeriesSet[]>> = {
  "1 x 2,000 folded": () => [curves({ series: 1, rows: 2000, folded: true, smoothed: true })],
  "24 x 400 smoothed": () => [curves({ series: 24, rows: 400, smoothed: true })],
  "100 x 400": () => [curves({ series: 100, rows: 400 })],
  "1,000 x 400": () => [curves({ series: 1000, rows: 400 })],
  "5,000 x 200 (density)": () => [curves({ series: 5000, rows: 200 })],
  "nine cards of 1,000 x 400": () => Array.from({ length: 9 }, () => curves({ series: 1000, rows: 400 })),
};

export async function drawingTimes(workers: number, repeats: number): Promise<Record<string, Drawing>> {
  const layer = createLayer({ workers });
  await draw(layer, [curves({ series: 2, rows: 10 }), curves({ series: 2, rows: 10 })]);
  const results: Record<string, Drawing> = {};
  for (const [name, make] of Object.entries(CASES)) {
    const sets = make();
    const times: Drawing[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) times.push(await draw(layer, sets));
    results[name] = times.reduce((best, next) => (next.totalMs < best.totalMs ? next : best));
  }
  layer.close();
  return results;
}

/** Moves the view at every frame: how long frames take, and how many drawings reach the screen. */
export async function panning(series: number, frames: number): Promise<{ worstMs: number; medianMs: number; drawn: number; frames: number }> {
  const layer = createLayer();
  const set = curves({ series, rows: 400 });
  let drawn = 0;
  const canvas = canvasOf();
  const card = layer.attach(canvas, { onpaint: () => (drawn += 1) });
  card.setData(set);
  card.setStyle(styleFor(set));
  card.setView(viewOf(0, 50_000));
  await new Promise((resolve) => setTimeout(resolve, 300));
  drawn = 0;
  const gaps: number[] = [];
  let last = await nextFrame();
  for (let frame = 0; frame < frames; frame += 1) {
    card.setView(viewOf(frame * 200, frame * 200 + 50_000));
    const now = await nextFrame();
    gaps.push(now - last);
    last = now;
  }
  card.dispose();
  canvas.remove();
  layer.close();
  gaps.sort((a, b) => a - b);
  return { worstMs: gaps.at(-1)!, medianMs: gaps[gaps.length >> 1]!, drawn, frames };
}

export function nearestTime(series: number): number {
  const layer = createLayer({ workers: 0 });
  const set = curves({ series, rows: 400 });
  const card = layer.attach(canvasOf());
  card.setData(set);
  card.setStyle(styleFor(set));
  card.setView(viewOf(0, 100_000));
  const start = performance.now();
  for (let i = 0; i < 200; i += 1) card.nearest((i * 2.1) % W, (i * 1.3) % H);
  return (performance.now() - start) / 200;
}

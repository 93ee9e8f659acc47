/** Draws the lines above the tracks: the minimap with the visible window, the steps, and the ruler. */

import type { Step } from "../../wire";
import { timeText } from "../../numbers";
import type { Ruler } from "../time/ticks";
import { lengthOf } from "../time/span";
import type { TraceColours } from "./colours";
import { HEADER_PX, MINIMAP_PX, RULER_PX, STEPS_PX, toX, type Scene } from "./scene";
import type { TextFitter } from "./text";

const STEPS_BOTTOM_PX = MINIMAP_PX + STEPS_PX;
/** Steps that differ from the mean by less are not worth a remark. */
const REMARKABLE_SHARE = 0.02;

export function drawHeader(
  context: CanvasRenderingContext2D,
  scene: Scene,
  ruler: Ruler,
  minimap: HTMLCanvasElement | null,
  colours: TraceColours,
  fitter: TextFitter,
): void {
  context.textBaseline = "middle";
  drawMinimapLine(context, scene, minimap, colours);
  drawSteps(context, scene, colours, fitter);
  drawRuler(context, scene, ruler, colours);
  line(context, scene.width, MINIMAP_PX, colours.named.line);
  line(context, scene.width, STEPS_BOTTOM_PX, colours.named.line);
  line(context, scene.width, HEADER_PX, colours.named.line2);
}

function line(context: CanvasRenderingContext2D, width: number, y: number, colour: string): void {
  context.fillStyle = colour;
  context.fillRect(0, y - 1, width, 1);
}

function drawMinimapLine(
  context: CanvasRenderingContext2D,
  scene: Scene,
  minimap: HTMLCanvasElement | null,
  { named }: TraceColours,
): void {
  // prettier-ignore
  const { width, span, capture } = scene;
  context.fillStyle = named.sunken;
  context.fillRect(0, 0, width, MINIMAP_PX);
  if (minimap) context.drawImage(minimap, 0, 0, width, MINIMAP_PX);
  const toMapX = (time: number): number => ((time - capture.start) / Math.max(lengthOf(capture), 1)) * width;
  const [from, to] = [toMapX(span.start), toMapX(span.end)];
  context.fillStyle = named.surface;
  context.globalAlpha = 0.62;
  context.fillRect(0, 0, from, MINIMAP_PX);
  context.fillRect(to, 0, width - to, MINIMAP_PX);
  context.globalAlpha = 1;
  context.strokeStyle = named.accent;
  context.lineWidth = 1.5;
  context.strokeRect(from, 1, Math.max(to - from, 1), MINIMAP_PX - 2);
  context.lineWidth = 1;
  context.fillStyle = named.accent;
  for (const x of [from, to]) context.fillRect(x - 2, 14, 4, 16);
}

function drawSteps(context: CanvasRenderingContext2D, scene: Scene, { named }: TraceColours, fitter: TextFitter): void {
  const { steps, width, currentStep } = scene;
  let drawnTo = -Infinity;
  for (let at = firstStepAfter(steps, scene.span.start); at < steps.length; at += 1) {
    const step = steps[at]!;
    const from = Math.max(toX(scene, step.start_ns), 0);
    if (from > width) break;
    const to = Math.min(toX(scene, step.start_ns + step.duration_ns), width);
    const isCurrent = at === currentStep;
    if (to - drawnTo < 1 && !isCurrent) continue;
    drawnTo = to;
    context.fillStyle = isCurrent ? named.selected : named.surface;
    context.fillRect(from, MINIMAP_PX + 1, Math.max(to - from - 1, 0.5), STEPS_PX - 2);
    context.fillStyle = named.line2;
    context.fillRect(Math.round(to) - 1, MINIMAP_PX + 1, 1, STEPS_PX - 2);
    drawStepName(context, scene, step, from, to, isCurrent, named, fitter);
  }
}

function drawStepName(
  context: CanvasRenderingContext2D,
  scene: Scene,
  step: Step,
  from: number,
  to: number,
  isCurrent: boolean,
  named: TraceColours["named"],
  fitter: TextFitter,
): void {
  // prettier-ignore
  const room = to - from - 12;
  const name = fitter.fit(room > 100 || step.number === null ? step.name : `#${step.number}`, room);
  const y = MINIMAP_PX + STEPS_PX / 2 + 0.5;
  context.textAlign = "left";
  context.font = `${isCurrent ? 600 : 400} 11px ${named.font}`;
  context.fillStyle = isCurrent ? named.text : named.text3;
  if (name) context.fillText(name, from + 6, y);
  if (!isCurrent || room < 260) return;
  const remark = stepRemark(step, scene.meanStepNs);
  const nameWidth = context.measureText(name).width;
  context.font = `400 11px ${named.font}`;
  context.fillStyle = remark.isSlow ? named.warn : named.text3;
  context.fillText(fitter.fit(remark.text, room - nameWidth - 24), from + 6 + nameWidth + 24, y);
}

/** "241.2 ms, 28.8 over the mean" */
export function stepRemark(step: Step, meanNs: number | null): { readonly text: string; readonly isSlow: boolean } {
  const duration = timeText(step.duration_ns);
  const above = meanNs === null ? 0 : step.duration_ns - meanNs;
  if (meanNs === null || Math.abs(above) < meanNs * REMARKABLE_SHARE) return { text: duration, isSlow: false };
  const difference = timeText(Math.abs(above));
  const unit = duration.split(" ")[1]!;
  const short = difference.endsWith(` ${unit}`) ? difference.slice(0, -unit.length - 1) : difference;
  return { text: `${duration}, ${short} ${above > 0 ? "over" : "under"} the mean`, isSlow: above > 0 };
}

function drawRuler(context: CanvasRenderingContext2D, scene: Scene, { ticks }: Ruler, { named }: TraceColours): void {
  context.font = `400 10px ${named.font}`;
  context.textAlign = "center";
  for (const { time, text } of ticks) {
    const x = toX(scene, time);
    context.fillStyle = named.text3;
    if (x > 12 && x < scene.width - 12) context.fillText(text, x, STEPS_BOTTOM_PX + 10);
    context.fillStyle = named.line2;
    context.fillRect(Math.round(x), HEADER_PX - 4, 1, 4);
  }
}

/** The length of the marked area, on the ruler. */
export function drawAreaLength(context: CanvasRenderingContext2D, scene: Scene, { named }: TraceColours): void {
  if (!scene.area) return;
  const [from, to] = [toX(scene, scene.area.start), toX(scene, scene.area.end)];
  if (to < 0 || from > scene.width) return;
  const text = timeText(lengthOf(scene.area));
  context.font = `600 11px ${named.font}`;
  const width = context.measureText(text).width + 12;
  const middle = (Math.max(from, 0) + Math.min(to, scene.width)) / 2;
  const left = Math.min(Math.max(middle - width / 2, 0), scene.width - width);
  context.fillStyle = named.accent;
  context.fillRect(from, HEADER_PX - 8, Math.max(to - from, 1), 3);
  context.fillRect(left, HEADER_PX - RULER_PX + 2, width, 16);
  context.fillStyle = named.accentInk;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, left + width / 2, HEADER_PX - RULER_PX + 10.5);
}

/** The position of the first step that ends after a time. */
export function firstStepAfter(steps: readonly Step[], time: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.start_ns + steps[middle]!.duration_ns <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

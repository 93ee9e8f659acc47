/** The shapes that a graph is drawn with; on a canvas, or as SVG (svg.ts). */

import { fontOf } from "./text";

/** What both a canvas and an SVG path can trace. */
export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void;
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
}

export interface Paint {
  readonly fill?: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
}

export interface TextStyle {
  readonly size: number;
  readonly weight: number;
  readonly fill: string;
  readonly align: "left" | "center" | "right";
  /** The colour behind the text, where lines may cross it. */
  readonly halo?: string;
}

export interface Pen {
  rect(x: number, y: number, width: number, height: number, radius: number, paint: Paint): void;
  circle(x: number, y: number, radius: number, paint: Paint): void;
  path(trace: (sink: PathSink) => void, paint: Paint): void;
  /** `y` is the middle of the line. */
  text(x: number, y: number, text: string, style: TextStyle): void;
}

export const HALO_PX = 3;

export class CanvasPen implements Pen {
  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly family: string,
  ) {
    context.textBaseline = "middle";
    context.lineJoin = "round";
  }

  rect(x: number, y: number, width: number, height: number, radius: number, paint: Paint): void {
    this.context.beginPath();
    if (radius > 0) this.context.roundRect(x, y, width, height, radius);
    else this.context.rect(x, y, width, height);
    this.#apply(paint);
  }

  circle(x: number, y: number, radius: number, paint: Paint): void {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.#apply(paint);
  }

  path(trace: (sink: PathSink) => void, paint: Paint): void {
    this.context.beginPath();
    trace(this.context);
    this.#apply(paint);
  }

  text(x: number, y: number, text: string, { size, weight, fill, align, halo }: TextStyle): void {
    this.context.font = fontOf(this.family, size, weight);
    this.context.textAlign = align;
    if (halo) {
      this.context.strokeStyle = halo;
      this.context.lineWidth = HALO_PX;
      this.context.strokeText(text, x, y);
    }
    this.context.fillStyle = fill;
    this.context.fillText(text, x, y);
  }

  #apply({ fill, stroke, width = 1, dash }: Paint): void {
    const { context } = this;
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (!stroke) return;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    if (dash) context.setLineDash([...dash]);
    context.stroke();
    if (dash) context.setLineDash([]);
  }
}

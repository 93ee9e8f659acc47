/** A chart as a PNG, at twice its size for sharp print: its SVG drawn by the browser, crowds of lines by our own painter. */

import { modeOf } from "./layer/card";
import { Painter } from "./paint/painter";
import { columnsOf, viewOf, type Plan } from "./plan";
import type { ChartSpec } from "./spec";
import { compose, layoutOf, type SvgOptions } from "./svg";

export const PAD = 5;

export async function toPng(spec: ChartSpec, options: SvgOptions, scale = 2): Promise<Blob> {
  const layout = layoutOf(spec, options);
  const { plan } = layout;
  const crowd = plan !== null && modeOf(plan.scope.set, plan.style) !== "lines";
  const picture = canvasOf(options.width * scale, options.height * scale);
  const pen = picture.getContext("2d")!;
  pen.drawImage(await imageOf(compose(spec, options, layout, !crowd), options), 0, 0, picture.width, picture.height);
  if (crowd)
    pen.drawImage(
      painted(plan, scale * layout.scale),
      Math.round((layout.left + plan.frame.left - PAD) * scale * layout.scale),
      Math.round((layout.top + plan.frame.top - PAD) * scale * layout.scale),
    );
  return new Promise((resolve, reject) =>
    picture.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser gave no picture; the chart may be too large"))),
      "image/png",
    ),
  );
}

/** The lines of a plan on a canvas that reaches `PAD` beyond the plot. */
export function painted({ scope, style, frame }: Plan, scale: number): HTMLCanvasElement {
  const canvas = canvasOf(1, 1);
  const painter = new Painter(canvas);
  painter.apply({ columns: columnsOf(scope.set), style, view: viewOf(frame, { dpr: scale, pad: PAD }) });
  painter.paint();
  return canvas;
}

async function imageOf(svg: string, { width, height }: SvgOptions): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

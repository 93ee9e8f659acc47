/** Small lines without axes: from columns to the path of an SVG, with a bulk of values instead of the odd spike. */

export interface Line {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

export interface Box {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Of values in order the share on either side that a spark need not show. */
const CUT = 0.02;
const FEW = 20;

/** What the lines share: all of x, and y without its outliers. Null when there is no finite point. */
export function boxOf(lines: readonly Line[], { wholeY = false } = {}): Box | null {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const { x, y } of lines) {
    for (let at = 0; at < x.length; at += 1) {
      if (Number.isFinite(x[at])) xs.push(x[at]!);
      if (Number.isFinite(y[at])) ys.push(y[at]!);
    }
  }
  if (xs.length === 0 || ys.length === 0) return null;
  ys.sort((a, b) => a - b);
  const cut = wholeY || ys.length < FEW ? 0 : Math.floor(ys.length * CUT);
  const [low, high] = [ys[cut]!, ys[ys.length - 1 - cut]!];
  const pad = high === low ? Math.abs(high) || 1 : 0;
  return {
    x0: xs.reduce((a, b) => Math.min(a, b)),
    x1: xs.reduce((a, b) => Math.max(a, b)),
    y0: low - pad,
    y1: high + pad,
  };
}

/** In a square of 100 by 100, y upward; gaps where a value is not finite. A lone point is a line of no length, which a round cap shows. */
export function pathOf({ x, y }: Line, box: Box): string {
  const parts: string[] = [];
  let isDown = false;
  for (let at = 0; at < x.length; at += 1) {
    const point = placeOf(x[at]!, y[at]!, box);
    if (point) parts.push(`${isDown ? "L" : "M"}${point.x.toFixed(2)} ${point.y.toFixed(2)}${isDown ? "" : "h0"}`);
    isDown = point !== null;
  }
  return parts.join("");
}

/** Under the line, down to the bottom. */
export function areaOf(line: Line, box: Box): string {
  const points: { x: number; y: number }[] = [];
  for (let at = 0; at < line.x.length; at += 1) {
    const point = placeOf(line.x[at]!, line.y[at]!, box);
    if (point) points.push(point);
  }
  if (points.length < 2) return "";
  const top = points.map(({ x, y }) => `L${x.toFixed(2)} ${y.toFixed(2)}`).join("");
  return `M${points[0]!.x.toFixed(2)} 100${top}L${points.at(-1)!.x.toFixed(2)} 100Z`;
}

export function placeOf(x: number, y: number, { x0, x1, y0, y1 }: Box): { x: number; y: number } | null {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
  const up = Math.min(Math.max((y - y0) / (y1 - y0), 0), 1);
  return { x: x1 === x0 ? 50 : ((x - x0) / (x1 - x0)) * 100, y: (1 - up) * 100 };
}

/** The row whose x is nearest to a place from 0 to 1 across the box; −1 of none. */
export function rowAt({ x }: Line, box: Box, share: number): number {
  const wanted = box.x0 + share * (box.x1 - box.x0);
  let best = -1;
  for (let at = 0; at < x.length; at += 1)
    if (best < 0 || Math.abs(x[at]! - wanted) < Math.abs(x[best]! - wanted)) best = at;
  return best;
}

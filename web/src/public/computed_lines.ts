/** Lines that a view computed, as a set of series. */

import { EMPTY_SET, type SeriesSet, type XUnit } from "../chart/series";
import type { Line } from "./view_types";

export function setOfLines(lines: readonly Line[], unit: XUnit): SeriesSet {
  const lengths = lines.map(({ x, y, wall }) => Math.min(x.length, y.length, wall?.length ?? Infinity));
  const offsets = Uint32Array.from([0, ...lengths]);
  for (let index = 1; index < offsets.length; index += 1) offsets[index]! += offsets[index - 1]!;
  const times = lines.map((line) => timesOf(line, unit));
  const haveWall = unit !== "metric" && lines.some(({ wall }) => wall);
  const join = (pick: (line: Line, index: number) => ArrayLike<number>): Float64Array => {
    const out = new Float64Array(offsets.at(-1)!);
    lines.forEach((line, index) => {
      const values = pick(line, index);
      for (let at = 0; at < lengths[index]!; at += 1) out[offsets[index]! + at] = values[at]!;
    });
    return out;
  };
  const x = join((_, index) => times[index]!.x);
  const y = join((line) => line.y).map((value) => (Number.isFinite(value) ? value : NaN));
  const hasBand = lines.some(({ band }) => band);
  return {
    ...EMPTY_SET,
    unit,
    offsets,
    x,
    sorted: lengths.every((length, index) => isSorted(x.subarray(offsets[index], offsets[index]! + length))),
    curve: y,
    raw: y,
    // The values are all there is: none of them is a mean of others.
    logged: { last: y, count: null, nan: null, posinf: null, neginf: null },
    low: hasBand ? join((line) => line.band?.low ?? line.y) : null,
    high: hasBand ? join((line) => line.band?.high ?? line.y) : null,
    fill: hasBand ? "band" : "envelope",
    marks: Uint32Array.from([...y.keys()].filter((row) => Number.isNaN(y[row]))),
    step: unit === "step" ? x : haveWall ? join((_, index) => times[index]!.step) : null,
    wall: unit === "wall" ? x : haveWall || unit === "relative" ? join((_, index) => times[index]!.wall) : null,
    began: Float64Array.from(times, ({ began }) => began),
    series: lines.map(({ key, name = key }, index) => ({
      key,
      name,
      attempt: 0,
      points: lengths[index]!,
      isDownsampled: false,
    })),
  };
}

interface Times {
  readonly x: ArrayLike<number>;
  readonly step: ArrayLike<number>;
  readonly wall: ArrayLike<number>;
  readonly began: number;
}

/** The place of a line's points along the axis, and what a tooltip says of them: NaN is not known. */
function timesOf({ x, wall, began }: Line, unit: XUnit): Times {
  const unknown = new Float64Array(x.length).fill(NaN);
  // In the unit of the axis: seconds since the beginning are times since 0.
  if (!wall) return { x, step: unknown, wall: unit === "step" ? unknown : x, began: 0 };
  const origin = began ?? wall[0] ?? 0;
  const relative = unit === "relative" ? Float64Array.from(wall, (time) => time - origin) : x;
  return { x: unit === "wall" ? wall : relative, step: x, wall, began: origin };
}

function isSorted(values: Float64Array): boolean {
  for (let at = 1; at < values.length; at += 1) if (values[at]! < values[at - 1]!) return false;
  return true;
}

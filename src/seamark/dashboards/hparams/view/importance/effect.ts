/** One parameter's effect as a picture: a line with its band where values have an order, points with whiskers where they have none. */

import type { Cell, Effect, Goal } from "$public/tables";

export interface EffectPoint {
  readonly value: Cell;
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  readonly mean: number;
  readonly n: number;
}

export interface EffectPicture {
  readonly points: readonly EffectPoint[];
  /** Of the means and their band. */
  readonly low: number;
  readonly high: number;
  /** SVG paths; empty for words. */
  readonly line: string;
  readonly band: string;
  bestAt(goal: Goal): number;
}

/** Values that span more than this factor are placed by their logarithm. */
const LOG_FACTOR = 50;

export function effectPicture({ x, mean, low, high, n }: Effect, width: number, height: number): EffectPicture | null {
  const rows = x.flatMap((value, index) =>
    Number.isFinite(mean[index] ?? NaN)
      ? [
          {
            value,
            mean: mean[index]!,
            low: finite(low[index], mean[index]!),
            high: finite(high[index], mean[index]!),
            n: n[index] ?? 0,
          },
        ]
      : [],
  );
  if (rows.length < 2) return null;
  const isOrdered = rows.every(({ value }) => typeof value === "number");
  const [bottom, top] = [Math.min(...rows.map((row) => row.low)), Math.max(...rows.map((row) => row.high))];
  const yOf = (number: number): number =>
    top === bottom ? height / 2 : height - ((number - bottom) / (top - bottom)) * height;
  const xOf = isOrdered
    ? placer(
        rows.map(({ value }) => value as number),
        width,
      )
    : (index: number): number => ((index + 0.5) / rows.length) * width;
  const points = rows.map((row, index) => ({
    ...row,
    x: xOf(index),
    y: yOf(row.mean),
    low: yOf(row.low),
    high: yOf(row.high),
  }));
  const path = (list: readonly { x: number; y: number }[]): string =>
    list.map(({ x: across, y }, index) => `${index === 0 ? "M" : "L"}${across.toFixed(1)} ${y.toFixed(1)}`).join("");
  const around = [
    ...points.map((point) => ({ x: point.x, y: point.high })),
    ...[...points].reverse().map((point) => ({ x: point.x, y: point.low })),
  ];
  return {
    points,
    low: bottom,
    high: top,
    line: isOrdered ? path(points) : "",
    band: isOrdered ? `${path(around)}Z` : "",
    bestAt: (goal) =>
      points.reduce(
        (best, point, index) =>
          (goal === "min" ? point.mean < points[best]!.mean : point.mean > points[best]!.mean) ? index : best,
        0,
      ),
  };
}

const finite = (value: number | null | undefined, otherwise: number): number =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : otherwise;

function placer(values: readonly number[], width: number): (index: number) => number {
  const [first, last] = [Math.min(...values), Math.max(...values)];
  const isWide = first > 0 && last / first > LOG_FACTOR;
  const bent = (value: number): number => (isWide ? Math.log(value) : value);
  return (index) =>
    first === last ? width / 2 : ((bent(values[index]!) - bent(first)) / (bent(last) - bent(first))) * width;
}

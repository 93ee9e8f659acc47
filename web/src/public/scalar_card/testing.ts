/** Small series for tests: rows of [x, value] by run. */

import type { SeriesSet } from "../../chart/series";

export function setOf(runs: Readonly<Record<string, readonly (readonly [number, number])[]>>): SeriesSet {
  const rows = Object.values(runs).flat();
  const offsets = [0];
  for (const list of Object.values(runs)) offsets.push(offsets.at(-1)! + list.length);
  const x = Float64Array.from(rows, ([at]) => at);
  const raw = Float64Array.from(rows, ([, value]) => value);
  return {
    unit: "step",
    offsets: Uint32Array.from(offsets),
    x,
    sorted: true,
    curve: raw,
    raw,
    low: null,
    high: null,
    fill: "envelope",
    marks: new Uint32Array(0),
    step: x,
    wall: null,
    began: new Float64Array(offsets.length - 1),
    series: Object.entries(runs).map(([run, list]) => ({
      key: run,
      name: run,
      attempt: 0,
      points: list.length,
      isDownsampled: false,
    })),
  };
}

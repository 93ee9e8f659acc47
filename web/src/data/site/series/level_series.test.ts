import { beforeAll, describe, expect, test } from "vitest";
import { ADAPTIVE, AS_LOGGED, FIXED, withWeight } from "../../../base/smoothing";
import type { ColumnBlock, NumberColumn } from "../../columns";
import { decodeBuckets, decodeHead, isHead } from "./level_blocks";
import { LevelSeries } from "./level_series";
import { decodePoints, type SeriesPoints } from "./series_points";
import { windowOf } from "./series_window";
import type { WindowRequest } from "./window_request";
import fixture from "./windows.fixture.json";
import { unpackBlock } from "./fixture_blocks";

/** tools/site_windows.py makes the fixture: series in pieces of a few rows. */
const NAMES = ["even", "uneven", "restarted", "late"] as const;
type Name = (typeof NAMES)[number];
type Columns = Record<string, NumberColumn>;

const whole = new Map<Name, SeriesPoints>();
const inPieces = new Map<Name, LevelSeries>();
/** The names of the pieces that were read. */
let read: string[] = [];

beforeAll(async () => {
  for (const name of NAMES) {
    const pieces = fixture.levels[name] as Record<string, string>;
    const head = await unpackBlock(pieces[""]!);
    expect(isHead(head)).toBe(true);
    const block = (piece: string): Promise<ColumnBlock> => {
      read.push(piece);
      return unpackBlock(pieces[piece]!);
    };
    inPieces.set(
      name,
      new LevelSeries(decodeHead(head), {
        points: async (at) => decodePoints(await block(`1\0${at}`)),
        buckets: async (size, at) => decodeBuckets(await block(`${size}\0${at}`)),
      }),
    );
    whole.set(name, await inPieces.get(name)!.allPoints());
  }
});

const REQUEST: WindowRequest = {
  axis: "step",
  start: null,
  stop: null,
  width: 20,
  smoothing: AS_LOGGED,
  attempts: "latest",
  edges: false,
  columns: null,
};

async function both(name: Name, change: Partial<WindowRequest>): Promise<{ exact: Columns; found: Columns }> {
  const request = { ...REQUEST, ...change };
  read = [];
  const found = await windowOf([inPieces.get(name)!], request);
  return { exact: await windowOf([whole.get(name)!], request), found };
}

const sum = (column: NumberColumn): number => [...column].reduce((total, value) => total + value, 0);
const least = (column: NumberColumn): number => Math.min(...[...column].filter((value) => !Number.isNaN(value)));
const greatest = (column: NumberColumn): number => Math.max(...[...column].filter((value) => !Number.isNaN(value)));

describe("a window of few points equals one of the whole series", () => {
  test.each(
    NAMES.flatMap((name) =>
      (["step", "relative", "wall"] as const).flatMap((axis) =>
        (["latest", "all", "marked"] as const).map((attempts) => ({ name, axis, attempts })),
      ),
    ),
  )("$name, $axis, $attempts", async ({ name, axis, attempts }) => {
    const { walls, steps } = whole.get(name)!;
    const x = axis === "step" ? steps : walls;
    const origin = axis === "relative" ? walls[0]! : 0;
    const [start, stop] = [x[1200]! - origin, x[1290]! - origin].sort((a, b) => a - b) as [number, number];
    const { exact, found } = await both(name, { axis, attempts, start, stop, width: 25, edges: true });
    expect(Object.keys(found)).toEqual(Object.keys(exact));
    for (const column of Object.keys(exact)) expect([...found[column]!], column).toEqual([...exact[column]!]);
    if (name !== "late") expect(read.length, "only blocks of the window").toBeLessThan(8);
  });

  test("and every point is there if it is asked for", async () => {
    const { exact, found } = await both("uneven", { width: 0 });
    expect(found.first).toEqual(exact.first);
    expect(found.first).toHaveLength(3000);
  });
});

describe("an overview is computed from buckets", () => {
  test.each(["even", "uneven", "restarted"] as const)("of %s, with every extreme and count", async (name) => {
    for (const axis of ["step", "relative"] as const) {
      const { exact, found } = await both(name, { axis, attempts: "marked" });
      if (name !== "restarted") expect(read, "the head is enough").toEqual([]);
      expect(read.filter((piece) => piece.startsWith("1\0"))).toEqual([]);
      for (const column of ["count", "nan", "posinf", "neginf", "points", "total", "stored"])
        expect(sum(found[column]!), column).toBe(sum(exact[column]!));
      expect(greatest(found.max!)).toBe(9);
      expect(least(found.min!)).toBeCloseTo(least(exact.min!), 6);
      expect(found.step!.at(0)).toBe(exact.step!.at(0));
      expect(found.step_last!.at(-1)).toBe(exact.step_last!.at(-1));
    }
  });

  test("a spike stays within a bucket of its pixel, at a finer level, too", async () => {
    const { exact, found } = await both("even", { start: 5000, stop: 25_000, width: 40 });
    expect(read.some((piece) => piece.startsWith("16\0"))).toBe(true);
    expect(read.some((piece) => piece.startsWith("1\0"))).toBe(false);
    const at = (columns: Columns): number => columns.step![[...columns.max!].indexOf(9)]!;
    expect(Math.abs(at(found) - at(exact))).toBeLessThanOrEqual(160);
  });

  test.each([0.6, 0.9, 0.99])("smoothed at %f as from every point", async (weight) => {
    const smoothing = withWeight(FIXED, weight);
    const { exact, found } = await both("even", { smoothing, width: 12 });
    // Rows end at other points, so the smoothed values are compared with every point's at the same step.
    const { exact: all } = await both("even", { smoothing, width: 0 });
    const byStep = new Map([...all.step!].map((step, row) => [step, all.smoothed![row]!]));
    expect(found.smoothed).toHaveLength(exact.smoothed!.length);
    found.step_last!.forEach((step, row) => expect(found.smoothed![row]).toBeCloseTo(byStep.get(step)!, 5));
  });

  test("between the stored weights, smoothed values are near", async () => {
    const smoothing = withWeight(FIXED, 0.7);
    const { found } = await both("even", { smoothing, width: 12 });
    const { exact: all } = await both("even", { smoothing, width: 0 });
    const byStep = new Map([...all.step!].map((step, row) => [step, all.smoothed![row]!]));
    found.step_last!.forEach((step, row) =>
      expect(Math.abs(found.smoothed![row]! - byStep.get(step)!)).toBeLessThan(0.05),
    );
  });

  test.each([0.02, 0.1])(
    "smoothed by %f of the visible range as from every point, in a zoomed window, too",
    async (weight) => {
      const smoothing = withWeight(ADAPTIVE, weight);
      for (const { start, stop } of [
        { start: 0, stop: 29_990 },
        { start: 15_000, stop: 25_000 },
      ]) {
        const { exact, found } = await both("even", { start, stop, edges: true, smoothing, width: 40 });
        expect(read.filter((piece) => piece.startsWith("1\0"))).toEqual([]);
        expect(found.weight![0]).toBeCloseTo(exact.weight![0]!, 12);
        const all = (await both("even", { smoothing: { ...smoothing, visible: stop - start }, width: 0 })).exact;
        const byStep = new Map([...all.step!].map((step, row) => [step, all.smoothed![row]!]));
        found.step_last!.forEach((step, row) =>
          expect(Math.abs(found.smoothed![row]! - byStep.get(step)!)).toBeLessThan(0.03),
        );
      }
    },
  );

  test("the number of points in a zoomed window is near", async () => {
    const { exact, found } = await both("uneven", { start: 1000, stop: 4003 });
    expect(Math.abs(found.points![0]! - exact.points![0]!)).toBeLessThan(20);
  });
});

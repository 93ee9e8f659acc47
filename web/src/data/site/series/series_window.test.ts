import { beforeAll, describe, expect, test } from "vitest";
import { decodeColumns, type NumberColumn } from "../../columns";
import { unpack, unpackBlock } from "./fixture_blocks";
import { decodePoints, type SeriesPoints } from "./series_points";
import { smoothingOf, type SeriesBody } from "./series_answers";
import { windowOf } from "./series_window";
import type { WindowRequest } from "./window_request";
import fixture from "./windows.fixture.json";

/** tools/site_windows.py makes the fixture with the server. */
/** Sums are added in another order, and powers rounded in another way. */
const ROUNDED = new Set(["mean", "smoothed", "weight"]);
const RELATIVE_ERROR = 1e-9;

function expectColumn(name: string, found: NumberColumn | undefined, wanted: NumberColumn): void {
  expect(found, name).toBeDefined();
  if (!ROUNDED.has(name)) return expect([...found!], name).toEqual([...wanted]);
  expect(found!.length, name).toBe(wanted.length);
  wanted.forEach((value, row) => {
    const isNear = Math.abs(found![row]! - value) <= RELATIVE_ERROR * Math.abs(value) + 1e-12;
    expect(isNear || Object.is(found![row], value), `${name}[${row}]: ${found![row]}, want ${value}`).toBe(true);
  });
}

describe("windows equal the server's", () => {
  const series = new Map<string, SeriesPoints>();
  beforeAll(async () => {
    for (const [run, block] of Object.entries(fixture.series)) series.set(run, decodePoints(await unpackBlock(block)));
  });
  test.each(fixture.windows.map(({ request, block }, at) => ({ at, request, block })))(
    "window $at: $request",
    async ({ request, block }) => {
      const wanted = decodeColumns((await unpack(block)).buffer);
      const found = await windowOf(
        request.run.map((run) => series.get(run)!),
        {
          start: null,
          stop: null,
          edges: false,
          columns: null,
          ...(request as unknown as Partial<WindowRequest>),
          smoothing: smoothingOf(request as SeriesBody),
        } as WindowRequest,
      );
      expect(wanted.header.runs).toEqual(request.run);
      expect(Object.keys(found).sort()).toEqual(Object.keys(wanted.columns).sort());
      for (const [name, column] of Object.entries(wanted.columns)) expectColumn(name, found[name], column);
    },
  );
});

describe("points", () => {
  test.each(fixture.roundTrips)("$name are read as they were written", async ({ block, steps, walls, values }) => {
    const points = decodePoints(await unpackBlock(block));
    expect([...points.steps]).toEqual(steps);
    expect([...points.walls]).toEqual(walls);
    expect([...points.values]).toEqual(values);
  });

  test("attempts come as stretches of rows", async () => {
    const points = decodePoints(await unpackBlock(fixture.roundTrips.find(({ name }) => name === "doubles")!.block));
    expect(points.spans).toEqual([
      { start: 0, attempt: 0, isReplaced: true },
      { start: 2, attempt: 1, isReplaced: false },
    ]);
  });
});

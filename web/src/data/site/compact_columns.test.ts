import { expect, test } from "vitest";
import { decodeColumns, rowColumn } from "../columns";
import { compacted } from "./compact_columns";
import { encodeColumns } from "./encode_columns";

const PER_RUN = new Set(["offsets", "points"]);

test("what all runs share is sent once, and comes back for each of them", () => {
  const columns = {
    offsets: Float64Array.of(0, 2, 5),
    points: Float64Array.of(20, 30),
    step_last: Float64Array.of(1, 2, 1, 2, 3),
    smoothed: Float64Array.of(0.1, 0.2, 0.3, 0.4, NaN),
    count: Uint32Array.of(10, 10, 10, 10, 300),
    wall_last: Float64Array.of(1.7e9, 1.7e9 + 1, 1.8e9, 1.8e9 + 1, 1.8e9 + 2),
  };
  const { columns: small, shared } = compacted(columns, PER_RUN);
  expect([...shared]).toEqual(["step_last", "count"]);
  expect(small.step_last).toEqual(Int32Array.of(1, 2, 3));
  expect(small.count).toEqual(Uint16Array.of(10, 10, 300));
  expect(small.smoothed).toBeInstanceOf(Float32Array);
  expect(small.wall_last).toEqual(columns.wall_last);
  expect(small.points).toBe(columns.points);
  const block = decodeColumns(encodeColumns({}, small, shared).buffer);
  expect([...rowColumn(block, "step_last")!]).toEqual([...columns.step_last]);
  expect([...rowColumn(block, "count")!]).toEqual([...columns.count]);
});

test("steps are exact, whatever their size", () => {
  const step = Float64Array.of(16_777_217, 2 ** 40 + 1);
  const { columns } = compacted({ offsets: Float64Array.of(0, 2), step, step_last: step.subarray(0, 1) }, PER_RUN);
  expect([...columns.step!]).toEqual([...step]);
  expect(columns.step_last).toEqual(Int32Array.of(16_777_217));
});

test("a single run and runs without rows share nothing that could be missed", () => {
  const one = compacted({ offsets: Float64Array.of(0, 1), count: Uint32Array.of(70_000) }, PER_RUN);
  expect(one.shared.size).toBe(0);
  expect(one.columns.count).toEqual(Uint32Array.of(70_000));
  const none = compacted({ offsets: Float64Array.of(0, 0, 0), step: new Float64Array(0) }, PER_RUN);
  expect(none.columns.step!.length).toBe(0);
});

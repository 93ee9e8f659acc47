import { expect, test } from "vitest";
import { assignLanes } from "./lanes";
import type { Structure } from "./structure";

const ROWS = 200;
const SPAN = 6;

/** One box in each row, 100 wide, and an edge in a lane from each to the sixth below it. */
function ladder(): Structure {
  const upper = Array.from({ length: ROWS - SPAN }, (_, row) => row);
  return {
    upper: Int32Array.from(upper),
    lower: Int32Array.from(upper, (row) => row + SPAN),
    isLane: upper.map(() => true),
    rank: Int32Array.from({ length: ROWS }, (_, row) => row),
    rows: Array.from({ length: ROWS }, (_, row) => Int32Array.of(row)),
  } as unknown as Structure;
}

test("lanes that end make room for others, so that a long graph does not grow wider", () => {
  const sides = { left: new Float64Array(ROWS).fill(-50), right: new Float64Array(ROWS).fill(50) };
  const lanes = assignLanes(ladder(), new Float64Array(ROWS), sides);
  expect(Math.max(...lanes.map((lane) => Math.abs(lane!.x)))).toBeLessThan(50 + 10 * (SPAN + 2));
  expect(Math.min(...sides.left)).toBe(Math.min(...lanes.map((lane) => lane!.x)));
  lanes.forEach((lane, at) => {
    const beside = lanes.slice(at + 1, at + SPAN).filter((other) => other!.side === lane!.side);
    expect(beside.every((other) => Math.abs(other!.x - lane!.x) >= 4)).toBe(true);
  });
});

test("a lane stays on its side when a box beside it becomes wider to one side", () => {
  const sidesOf = (row: number, wide: number): ("left" | "right")[] => {
    const sides = { left: new Float64Array(ROWS).fill(-50), right: new Float64Array(ROWS).fill(50) };
    [sides.left[row], sides.right[row]] = [-50 - Math.max(0, -wide), 50 + Math.max(0, wide)];
    return assignLanes(ladder(), new Float64Array(ROWS), sides).map((lane) => lane!.side);
  };
  expect(sidesOf(90, 400)).toEqual(sidesOf(90, 0));
  expect(sidesOf(90, -400)).toEqual(sidesOf(90, 0));
});

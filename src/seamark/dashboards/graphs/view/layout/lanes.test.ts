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

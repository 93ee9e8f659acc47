import { expect, test } from "vitest";
import { ACTIVITY, type Distributed, type RankRow } from "../wire";
import { wholeBars } from "../tables/columns";
import { RANK_COLUMNS } from "./columns";
import { blocksOf } from "./lanes";
import { partsOf, stragglerText } from "./ranks";

const rank = (change: Partial<RankRow> = {}): RankRow => ({
  host: "rank 0",
  capture_host: "a",
  steps: 4,
  step_ns: 100,
  compute_ns: 60,
  communication_ns: 30,
  overlap_ns: 10,
  exposed_ns: 20,
  wait_ns: 8,
  idle_ns: 15,
  awaited_share: 0,
  clock_offset_ns: 0,
  is_straggler: false,
  ...change,
});

test("the parts of a rank sum to its step", () => {
  const parts = partsOf(rank());
  expect(parts).toEqual({ compute: 50, overlap: 10, communication: 12, wait: 8, copies: 5, idle: 15 });
  expect(Object.values(parts).reduce((sum, part) => sum + part)).toBe(100);
});

test("the bar of a share is whole at 100% of the communication, and at the largest part of the waiting", () => {
  const whole = wholeBars(RANK_COLUMNS, [rank({ awaited_share: 0.25 }), rank({ awaited_share: 0.5, overlap_ns: 1 })]);
  expect([...whole]).toEqual([
    ["overlap_share", 1],
    ["awaited", 0.5],
  ]);
});

test("a wait that overlaps computation is not shown twice", () => {
  expect(partsOf(rank({ wait_ns: 50 }))).toMatchObject({ communication: 0, wait: 20 });
  expect(partsOf(rank({ wait_ns: null }))).toMatchObject({ communication: 20, wait: 0 });
});

test("the straggler is named with its evidence", () => {
  const late = rank({ host: "rank 5", is_straggler: true, awaited_share: 0.9 });
  expect(stragglerText({ ranks: [rank(), late] } as unknown as Distributed)).toContain("rank 5");
  expect(stragglerText({ ranks: [rank(), late] } as unknown as Distributed)).toContain("90%");
  expect(stragglerText({ ranks: [rank()] } as unknown as Distributed)).toBe("");
});

test("blocks of a lane are shares of the window", () => {
  const lane = {
    host: "rank 0",
    capture_host: "a",
    starts: [10],
    durations: [20],
    activities: [ACTIVITY.COLLECTIVE],
    slices: [4],
  };
  expect(blocksOf(lane, 200)[0]).toMatchObject({ leftPercent: 5, widthPercent: 10, slice: 4 });
});

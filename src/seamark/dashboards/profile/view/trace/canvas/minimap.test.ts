import { expect, test } from "vitest";
import { ACTIVITY, BREAKDOWN_PARTS } from "../../wire";
import { newWindow } from "../data/testing";
import { newTrack } from "../tracks/testing";
import { groupTracks } from "../tracks/groups";
import { countBusy, minimapGrip, minimapRows } from "./minimap";

test("each line counts what is busy in its bins, once", () => {
  const map = countBusy(
    newWindow([
      [0, 0, 100, ACTIVITY.HOST_OP],
      [1, 0, 50, ACTIVITY.HOST_OP],
      [2, 150, 100, ACTIVITY.KERNEL_16],
      [2, 250, 25, ACTIVITY.KERNEL_32],
      [3, 0, 400, ACTIVITY.STEP],
    ]),
    { start: 0, end: 400 },
    4,
  );
  expect([...map.busy[1]!]).toEqual([1, 0, 0, 0]);
  expect([...map.busy[2]!]).toEqual([0, 0.5, 0.75, 0]);
  expect(BREAKDOWN_PARTS[map.part[2]![2]!]).toBe("device_compute_16");
  expect([...map.busy[0]!, ...map.busy[3]!]).toEqual(new Array(8).fill(0));
});

test("the outer rows of every track are requested, within a limit", () => {
  const tracks = Array.from({ length: 100 }, (_, id) => newTrack(id, id * 6, 6));
  const rows = minimapRows(groupTracks(tracks, []));
  expect(rows.slice(0, 5)).toEqual([0, 1, 2, 3, 6]);
  expect(rows.length).toBe(64);
});

test("a drag takes an end, the window, or begins elsewhere", () => {
  expect(minimapGrip(100, 102, 300)).toBe("start");
  expect(minimapGrip(299, 102, 300)).toBe("end");
  expect(minimapGrip(200, 102, 300)).toBe("window");
  expect(minimapGrip(103, 102, 106)).toBe("window");
  expect(minimapGrip(20, 102, 300)).toBe("outside");
});

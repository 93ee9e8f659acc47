import { expect, test } from "vitest";
import { axisOf } from "../axes/axes";
import { columnFrom } from "../columns/testing";
import { clicked, dragged, gripAt, isClick, toggled } from "./grip";

const axis = axisOf(columnFrom({ id: "param:x", type: "number", values: [0, 25, 50, 100] }), { scale: "linear" });
const reach = { end: 0.02 };

test("a drag on the free axis makes a range, and replaces what was there unless it adds", () => {
  expect(dragged(axis, gripAt(axis, [], 0.6, reach, false), 0.2)).toEqual([[20, 60]]);
  expect(dragged(axis, gripAt(axis, [[80, 90]], 0.2, reach, false), 0.4)).toEqual([[20, 40]]);
  expect(dragged(axis, gripAt(axis, [[80, 90]], 0.2, reach, true), 0.4)).toEqual([
    [80, 90],
    [20, 40],
  ]);
});

test("an end is dragged past the other one", () => {
  const grip = gripAt(axis, [[20, 60]], 0.61, reach, false);
  expect(grip.kind).toBe("end");
  expect(dragged(axis, grip, 0.8)).toEqual([[20, 80]]);
  expect(dragged(axis, grip, 0.1)).toEqual([[10, 20]]);
});

test("a range that is moved keeps its length and stays on the axis", () => {
  const grip = gripAt(
    axis,
    [
      [20, 60],
      [90, 95],
    ],
    0.4,
    reach,
    false,
  );
  expect(grip.kind).toBe("whole");
  expect(dragged(axis, grip, 0.5)).toEqual([
    [90, 95],
    [30, 70],
  ]);
  expect(dragged(axis, grip, 0.1)).toEqual([
    [90, 95],
    [0, 40],
  ]);
});

test("a click takes the brush away, with shift nothing", () => {
  const grip = gripAt(axis, [[20, 60]], 0.9, reach, false);
  expect(isClick(grip, 0.905, reach)).toBe(true);
  expect(clicked(grip, false, [[20, 60]])).toEqual([]);
  expect(clicked(grip, true, [[20, 60]])).toEqual([[20, 60]]);
  expect(
    clicked(
      gripAt(
        axis,
        [
          [20, 60],
          [80, 90],
        ],
        0.4,
        reach,
        false,
      ),
      false,
      [],
    ),
  ).toEqual([[80, 90]]);
});

test("marks below the axis are picked one by one", () => {
  expect(toggled([], null, false)).toEqual([null]);
  expect(toggled([[1, 2]], null, true)).toEqual([[1, 2], null]);
  expect(toggled([[1, 2]], "NaN", false)).toEqual(["NaN"]);
  expect(toggled([null, "NaN"], null, false)).toEqual(["NaN"]);
});

import { expect, test } from "vitest";
import { between, project, drawable, LINEAR, shareOf, symlogConstant, invert, type Scale } from "./scale";

const LOG: Scale = { kind: "log", constant: 1 };
const SYMLOG: Scale = { kind: "symlog", constant: 0.01 };

test("bending and unbending give back the value", () => {
  for (const scale of [LINEAR, LOG, SYMLOG]) {
    for (const value of [1e-6, 0.02, 1, 12345]) expect(invert(scale, project(scale, value)) / value).toBeCloseTo(1, 9);
  }
  expect(invert(SYMLOG, project(SYMLOG, -3))).toBeCloseTo(-3, 9);
  expect(project(SYMLOG, 0)).toBe(0);
});

test("a log axis has no place for zero and below", () => {
  expect([project(LOG, 0), project(LOG, -1)]).toEqual([NaN, NaN]);
});

test("halfway along a log axis is the geometric mean", () => {
  expect(between(LOG, { from: 1, to: 100 }, 0.5)).toBeCloseTo(10);
  expect(shareOf(LOG, { from: 1, to: 100 }, 10)).toBeCloseTo(0.5);
  expect(between(LINEAR, { from: 0, to: 10 }, 1.5)).toBe(15);
});

test("symlog turns logarithmic below nearly all values, whatever their size", () => {
  expect(symlogConstant([0, 0.003, -0.05, 7])).toBeCloseTo(0.001);
  expect(symlogConstant([0, NaN])).toBe(1);
});

test("a range is put in order, opened, and made positive for a log axis", () => {
  expect(drawable(LINEAR, { from: 5, to: 1 })).toEqual({ from: 1, to: 5 });
  expect(drawable(LINEAR, { from: 0, to: 0 })).toEqual({ from: -1, to: 1 });
  expect(drawable(LOG, { from: -1, to: 100 }).from).toBeCloseTo(1e-4);
  expect(drawable(LOG, { from: -2, to: -1 })).toEqual({ from: 0.1, to: 1 });
});

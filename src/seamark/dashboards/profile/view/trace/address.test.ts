import { expect, test } from "vitest";
import { addStep, formatArea, formatKeys, parseArea, parseKeys, parseNumbers, parseSpan, parseSteps } from "./address";

test("an area is written and read with its tracks", () => {
  const area = { start: 1200, end: 4500, tracks: [0, 3] };
  expect(formatArea(area)).toBe("1200-4500:0,3");
  expect(parseArea("1200-4500:0,3")).toEqual(area);
  expect(parseArea("1200-4500")).toEqual({ start: 1200, end: 4500, tracks: null });
});

test("what is not an area, a span or a number is ignored", () => {
  for (const text of ["", "abc", "5-3", "1-2:x", "1e9-2e9", "<b>", undefined]) expect(parseArea(text)).toBeNull();
  expect(parseSpan("10", "5")).toBeNull();
  expect(parseSpan("10", undefined)).toBeNull();
  expect(parseNumbers("3,x,-1,17")).toEqual([3, 17]);
});

test("keys of tracks tell none from nothing said", () => {
  expect(parseKeys(undefined)).toBeUndefined();
  expect(parseKeys("-")).toEqual([]);
  expect(parseKeys("t3,c0,p1,<b>")).toEqual(["t3", "c0", "p1"]);
  expect(formatKeys([])).toBe("-");
});

test("a drawn step replaces those that it overlaps", () => {
  expect(addStep(parseSteps("100-200,300-400"), { start: 250, end: 350 })).toBe("100-200,250-350");
  expect(addStep([], { start: 5.2, end: 9.7 })).toBe("5-10");
});

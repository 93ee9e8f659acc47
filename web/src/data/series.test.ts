import { expect, test } from "vitest";
import { ADAPTIVE, AS_LOGGED, FIXED } from "../base/smoothing";
import { columnsFor, covers, SeriesCache, widthFor, type SeriesRequest } from "./series";

const request: SeriesRequest = {
  tag: "loss",
  runs: null,
  axis: "step",
  range: null,
  width: 400,
  smoothing: AS_LOGGED,
  attempts: "latest",
  columns: ["mean"],
};
const block = (rows: number) => ({ tag: "loss", runs: ["a", "b"], columns: { mean: new Float64Array(rows) } });

test("an answer serves again until something was logged", () => {
  const cache = new SeriesCache();
  cache.put({ request, value: block(3), revision: 7 });
  expect(cache.get(request, 7)?.value.columns.mean).toHaveLength(3);
  expect(cache.get(request, 8)).toBeUndefined();
  expect(cache.get({ ...request, smoothing: FIXED }, 7)).toBeUndefined();
  expect(cache.get({ ...request, smoothing: { ...ADAPTIVE, weight: 0 } }, 7)).toBeUndefined();
  expect(cache.get({ ...request, range: { from: 1, to: 2 } }, 7)).toBeUndefined();
});

test("an answer for many runs serves a request for some of them, not the other way round", () => {
  const few = { request: { ...request, runs: ["a", "b"] }, value: block(1), revision: 0 };
  expect(covers(few, ["b"])).toBe(true);
  expect(covers(few, ["b", "c"])).toBe(false);
  expect(covers(few, null)).toBe(false);
  expect(covers({ ...few, request }, ["c"])).toBe(true);
});

test("the oldest answers go when there is no more room", () => {
  const cache = new SeriesCache(100 * 8);
  for (const tag of ["a", "b", "c"]) cache.put({ request: { ...request, tag }, value: block(40), revision: 0 });
  expect(cache.get({ ...request, tag: "a" }, 0)).toBeUndefined();
  expect(cache.get({ ...request, tag: "c" }, 0)).toBeDefined();
  cache.put({ request: { ...request, tag: "huge" }, value: block(90), revision: 0 });
  expect(cache.get({ ...request, tag: "huge" }, 0)).toBeUndefined();
});

test("many runs are read at fewer columns of pixels and fewer columns of numbers", () => {
  expect(widthFor(400, 3)).toBe(448);
  expect(widthFor(500, 1000)).toBe(400);
  expect(widthFor(400, 100_000)).toBe(120);
  expect(columnsFor({ axis: "step", smoothing: FIXED, attempts: "latest", runs: 1000 })).toEqual([
    "step_last",
    "smoothed",
    "weight",
    "count",
  ]);
  expect(columnsFor({ axis: "relative", smoothing: AS_LOGGED, attempts: "all", runs: 3 })).toContain("attempt");
  expect(columnsFor({ axis: "step", smoothing: FIXED, attempts: "latest", runs: 3 })).toContain("last");
});

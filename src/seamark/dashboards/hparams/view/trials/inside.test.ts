import { expect, test } from "vitest";
import { goodnessOf } from "../columns/goodness";
import { columnFrom } from "../columns/testing";
import { bestRow, binsOf, meanWhere, topRows } from "./inside";

const LOSS = columnFrom({ id: "metric:loss:last", type: "number", values: [1, 2, 4, "NaN", 7] });

test("inside the brush: means, the share of the best, and where they lie", () => {
  const inside = Uint8Array.from([1, 1, 0, 1, 0]);
  expect(meanWhere(LOSS, inside, 1)).toEqual({ count: 2, mean: 1.5 });
  expect(meanWhere(LOSS, inside, 0)).toEqual({ count: 2, mean: 5.5 });
  const goodness = goodnessOf(LOSS, "min");
  expect(topRows(goodness, 3)).toEqual([0, 1, 2]);
  expect(bestRow(goodness)).toBe(0);
  expect(bestRow(goodness, Uint8Array.from([0, 0, 1, 1, 1]))).toBe(2);
  expect(bestRow(goodnessOf(LOSS, "max"))).toBe(4);
  expect(bestRow(goodnessOf(columnFrom({ id: "x:y", type: "number", values: [null, "NaN"] }), "min"))).toBeNull();
  const bins = binsOf(goodness, inside, 3);
  expect([bins.from, bins.to, [...bins.all], [...bins.inside]]).toEqual([1, 7, [2, 1, 1], [2, 0, 0]]);
});

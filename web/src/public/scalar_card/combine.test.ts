import { expect, test } from "vitest";
import { lineKey, named, overMetric, runOfKey, tagOfKey } from "./combine";
import { setOf } from "./testing";

test("lines of several tags keep their run and tag", () => {
  const set = named(setOf({ a: [[0, 1]] }), "train/loss", (run) => run.toUpperCase());
  expect(set.series[0]).toMatchObject({ key: lineKey("train/loss", "a"), name: "A · train/loss" });
  expect([runOfKey(set.series[0]!.key), tagOfKey(set.series[0]!.key)]).toEqual(["a", "train/loss"]);
  expect([runOfKey("a"), tagOfKey("a")]).toEqual(["a", undefined]);
});

test("over a metric, each point stands where that metric was at its step", () => {
  const loss = setOf({
    a: [
      [0, 5],
      [1, 4],
      [2, 3],
      [4, 1],
    ],
    b: [[0, 9]],
  });
  const epoch = setOf({
    a: [
      [1, 10],
      [3, 30],
    ],
  });
  const over = overMetric(loss, epoch);
  expect(over.unit).toBe("metric");
  expect([...over.x]).toEqual([10, 10, 30]);
  expect([...over.curve]).toEqual([4, 3, 1]);
  expect([...over.offsets]).toEqual([0, 3, 3]);
});

import { expect, test } from "vitest";
import { makeColumn } from "../../../data/testing";
import type { Group, GroupMetric } from "../../../data/table";
import {
  groupColumns,
  groupQuery,
  groupRows,
  labelOf,
  measures,
  partId,
  partWords,
  probability,
  readPartId,
  verdictOf,
} from "./groups";

const metric = (more: Partial<GroupMetric> = {}): GroupMetric => ({
  n: 5,
  mean: 0.86123,
  std: 0.012345,
  median: 0.86,
  iqm: 0.861,
  low: 0.85,
  high: 0.87,
  best: { run: "a", value: 0.84 },
  worst: { run: "b", value: 0.9 },
  ...more,
});
const against = { difference: -0.0512, welch_p: 0.0123, bootstrap_low: -0.08, bootstrap_high: -0.02, caveat: "" };

test("a group is a row: its key, how many runs, and every metric's parts as numbers to order by", () => {
  const groups: Group[] = [
    { key: [0.1, "adam"], runs: ["a", "b"], metrics: { "metric:loss:min": metric({ against }) } },
  ];
  const by = ["param:lr", "param:optimizer"];
  const [row] = groupRows(groups, by, ["metric:loss:min", "metric:gone:min"]);
  expect(row!.cells).toMatchObject({
    n: 2,
    "param:lr": 0.1,
    "param:optimizer": "adam",
    "mean:metric:loss:min": 0.86123,
    "best:metric:loss:min": 0.84,
    "against:metric:loss:min": -0.0512,
    "mean:metric:gone:min": null,
  });
  const { first, others } = groupColumns(new Map(), {
    by,
    metrics: ["metric:loss:min"],
    hasBaseline: false,
    goals: () => "min",
  });
  expect([first.id, ...others.slice(0, 3).map(({ id }) => id)]).toEqual([
    "param:lr",
    "param:optimizer",
    "n",
    "mean:metric:loss:min",
  ]);
  expect(others.some(({ id }) => id.startsWith("against:"))).toBe(false);
  expect(labelOf(new Map(), by, [null, "adam"])).toBe("lr none · adam");
});

test("parts in words", () => {
  const all = metric({ against });
  expect((["mean", "interval", "median", "best", "against"] as const).map((part) => partWords(all, part))).toEqual([
    "0.8612 ± 0.012",
    "0.8500 to 0.8700",
    "0.8600",
    "0.8400",
    "−0.0512, p = 0.012",
  ]);
  expect([
    partWords(metric({ n: 1, std: null }), "mean"),
    partWords(undefined, "mean"),
    partWords(metric({ n: 0 }), "best"),
    partWords(metric({ mean: NaN, std: NaN }), "mean"),
  ]).toEqual(["0.8612", "", "", "NaN ± NaN"]);
  expect([0.03, 0.0296, 0, 3, 0.0001].map((std) => partWords(metric({ mean: 1, std }), "mean"))).toEqual([
    "1.0000 ± 0.030",
    "1.0000 ± 0.030",
    "1.0000 ± 0",
    "1.0000 ± 3",
    "1.0000 ± 1e−4",
  ]);
  expect([probability(1e-9), probability(0.5)]).toEqual(["< 0.001", "= 0.50"]);
});

test("a difference counts when both tests agree, and better depends on the goal", () => {
  expect([
    verdictOf(metric({ against }), "min"),
    verdictOf(metric({ against }), "max"),
    verdictOf(metric({ against: { ...against, bootstrap_high: 0.01 } }), "min"),
    verdictOf(metric({ against: { ...against, welch_p: 0.2 } }), "min"),
    verdictOf(metric(), "min"),
  ]).toEqual(["better", "worse", "", "", ""]);
});

test("ids and queries of odd names", () => {
  expect(readPartId(partId("metric:mean:x:min", "worst"))).toEqual({ part: "worst", metric: "metric:mean:x:min" });
  expect(readPartId("param:lr")).toBe(null);
  expect(measures(["param:lr", "metric:a:min", "metric:a:min_step", "metric:a:count", "metric:b:tail"])).toEqual([
    "metric:a:min",
    "metric:b:tail",
  ]);
  expect(groupQuery("", ['param:a"b', "run:host", "param:on", "param:x"], [1e-5, "h", true, null])).toBe(
    'param["a\\"b"] == 0.00001 and host == "h" and param["on"] == True and param["x"] is None',
  );
  expect(groupQuery("a or b", ["param:x"], [1])).toBe('(a or b) and param["x"] == 1');
});

test("a group is found again beside a name or a pattern in the box, and by values that are no numbers to Python", () => {
  expect(groupQuery(" ResNet18/", ["param:x"], [1])).toBe(
    '("resnet18/" in lower(name) or "resnet18/" in lower(label)) and param["x"] == 1',
  );
  expect(groupQuery("/seed\\d/", ["param:x"], ["é"])).toBe(
    '(matches(name, "(?i)seed\\\\d") or matches(label, "(?i)seed\\\\d")) and param["x"] == "é"',
  );
  expect(groupQuery("", ["param:x", "metric:a:min", "run:tags"], [NaN, -Infinity, ["a", "b"]])).toBe(
    'isnan(param["x"]) and metric["a"].min == -1e999 and tag("a") and tag("b") and len(tags) == 2',
  );
  const x = makeColumn("param:x");
  expect([
    groupQuery("", ["param:x"], ["NaN"], new Map([["param:x", x]])),
    groupQuery("", ["param:x"], ["NaN"]),
  ]).toEqual(['isnan(param["x"])', 'param["x"] == "NaN"']);
});

import { expect, test } from "vitest";
import { timeUnit } from "../../numbers";
import { partRows } from "./table_rows";

const MS = 1e6;
const MEAN = { device_compute_16: 118.2 * MS, input: 30.1 * MS, compile: 2 * MS };

test("a step beside the mean, with what is unusual", () => {
  const step = { device_compute_16: 121.9 * MS, input: 58.4 * MS };
  const rows = partRows(MEAN, step, 212.4 * MS, timeUnit(241.2 * MS));
  expect(rows).toHaveLength(9);
  const of = (part: string) => rows.find((row) => row.part === part)!;
  expect(of("device_compute_16")).toMatchObject({ step: "121.9", mean: "118.2", share: "55.6%", isHot: false });
  expect(of("input")).toMatchObject({ step: "58.4", isHot: true });
  expect(of("compile")).toMatchObject({ step: "–", mean: "2.0" });
});

test("without a step only the mean", () => {
  const rows = partRows(MEAN, null, 212.4 * MS, timeUnit(212.4 * MS));
  expect(rows.every(({ step, isHot }) => step === "" && !isHot)).toBe(true);
});

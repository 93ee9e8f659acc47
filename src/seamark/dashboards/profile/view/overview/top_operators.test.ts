import { expect, test } from "vitest";
import { ACTIVITY, type OperatorRow } from "../wire";
import { topOperators } from "./top_operators";

const row = (name: string, self: number, device: number | null): OperatorRow => ({
  name,
  activity: ACTIVITY.KERNEL_16,
  calls: 4,
  self_ns: self,
  total_ns: self,
  device_self_ns: device,
  device_total_ns: device,
  tensor_cores: device === null ? null : true,
  shapes: "",
  longest: 0,
});

test("by device time, with shares of it", () => {
  const rows = [row("a", 100, 1000), row("b", 900, 3000), row("c", 500, 0)];
  const top = topOperators({ rows, group: "name", total_self_ns: 1500, total_device_ns: 4000, is_cut: false }, 8);
  expect(top.rows.map(({ name, share, bar }) => [name, share, bar.toFixed(2)])).toEqual([
    ["b", "75.0%", "1.00"],
    ["a", "25.0%", "0.33"],
  ]);
  expect(top.rows[0]).toMatchObject({ self: "3 µs", hostSelf: "900 ns", mean: "750 ns", tensorCores: "yes" });
});

test("without a device by host time", () => {
  const rows = [row("a", 100, null), row("b", 900, null)];
  const top = topOperators({ rows, group: "name", total_self_ns: 1000, total_device_ns: null, is_cut: false }, 1);
  expect(top.hasDevice).toBe(false);
  expect(top.rows).toMatchObject([{ name: "b", share: "90.0%", tensorCores: "n/a" }]);
});

test("a trace of plain Python has functions", () => {
  const nounOf = (...activities: number[]): string => {
    const rows = activities.map((activity) => ({ ...row("a", 100, null), activity }));
    return topOperators({ rows, group: "name", total_self_ns: 100, total_device_ns: null, is_cut: false }, 8).noun;
  };
  expect(nounOf(ACTIVITY.PYTHON)).toBe("function");
  expect(nounOf(ACTIVITY.PYTHON, ACTIVITY.HOST_OP)).toBe("operator");
  expect(nounOf()).toBe("operator");
});

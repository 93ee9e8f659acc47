import { expect, test } from "vitest";
import { timeUnit } from "../numbers";
import type { CaptureEntry, Comparison } from "../wire";
import { cellText } from "../tables/columns";
import { comparedColumns, comparedParts, defaultOther, signed, stepPairs } from "./comparison";

const MS = 1e6;
const capture = (run: string, name: string, hosts: readonly string[] = ["rank 0"]): CaptureEntry => ({
  run,
  name,
  time: 0,
  hosts: hosts.map((host) => ({ host, bytes: 1 })),
  is_remainder: false,
});

function compared(steps: number): Comparison {
  return {
    a_steps: steps,
    b_steps: steps,
    breakdown: [
      { part: "step", a_ns: 212.4 * MS, b_ns: 241.2 * MS },
      { part: "device_compute_16", a_ns: 118.2 * MS, b_ns: 118 * MS },
      { part: "input", a_ns: 30.1 * MS, b_ns: 58.4 * MS },
      { part: "compile", a_ns: 0, b_ns: 0 },
    ],
    operators: [],
    kernels: [],
    explanation: [],
    a_step_ns: Array.from({ length: steps }, () => 100),
    b_step_ns: Array.from({ length: steps }, (_, index) => 100 + index),
    step_names: Array.from({ length: steps }, (_, index) => `step ${index}`),
  };
}

test("at first the capture before this one is compared, then another run's, then another rank", () => {
  const [newer, older, alone] = [capture("a", "2"), capture("a", "1"), capture("b", "1", ["rank 1", "rank 0"])];
  const captures = [newer, older, alone];
  expect(defaultOther(captures, { capture: newer, host: "rank 0" })?.capture).toBe(older);
  expect(defaultOther(captures, { capture: older, host: "rank 0" })?.capture).toBe(newer);
  expect(defaultOther([alone, newer], { capture: newer, host: "rank 0" })).toEqual({ capture: alone, host: "rank 0" });
  expect(defaultOther([alone], { capture: alone, host: "rank 1" })).toEqual({ capture: alone, host: "rank 0" });
  expect(defaultOther([newer], { capture: newer, host: "rank 0" })).toBeNull();
});

test("parts of both steps with their difference; parts that neither has are left out", () => {
  const { rows, step, unit } = comparedParts(compared(3));
  expect(unit.name).toBe("ms");
  expect(step).toEqual({ a: "212.4", b: "241.2", difference: "+28.8" });
  expect(rows.map(({ part, difference }) => [part, difference])).toEqual([
    ["device_compute_16", "−0.2"],
    ["input", "+28.3"],
  ]);
  expect(rows[0]!.aBar).toBe(1);
});

test("no difference has no sign", () => {
  expect(signed(-100, timeUnit(241 * MS))).toBe("0.0");
  expect(signed(0, timeUnit(241 * MS))).toBe("0.0");
});

test("many steps are compared as means of neighbours", () => {
  expect(stepPairs(compared(3))).toMatchObject({ perPair: 1, longestNs: 102 });
  const { pairs, perPair } = stepPairs(compared(1000));
  expect(perPair).toBe(17);
  expect(pairs).toHaveLength(59);
  expect(pairs[0]!.label).toBe("step 0 to step 16");
  expect(stepPairs(compared(0)).pairs).toEqual([]);
});

test("the difference of a row has a sign", () => {
  const column = comparedColumns("Operator", true).find(({ id }) => id === "difference")!;
  const text = (a_ns: number, b_ns: number): string =>
    cellText(column.value({ name: "mm", a_calls: 1, b_calls: 1, a_ns, b_ns, explains: null }), column.type);
  expect([text(1 * MS, 3 * MS), text(3 * MS, 1 * MS), text(1, 1)]).toEqual(["+2 ms", "−2 ms", "–"]);
});

test("without steps the columns say that they are of the whole traces", () => {
  const hints = (isPerStep: boolean): string => comparedColumns("Operator", isPerStep).map(({ hint }) => hint).join(); // prettier-ignore
  expect(hints(true)).toContain("a step");
  expect(hints(false)).not.toMatch(/a step/i);
});

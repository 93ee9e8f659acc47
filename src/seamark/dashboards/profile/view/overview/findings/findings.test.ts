import { expect, test } from "vitest";
import type { Finding } from "../../wire";
import { evidenceParameters, gainText, gainTimeText, silentRules } from "./findings";

const FINDING: Finding = {
  code: "input_bound",
  text: "The device waits for input.",
  advice: "",
  gain: 0.1417,
  gain_ns: 30_100_000,
  formula: "",
  evidence: { count: 18, slices: [7, 12], start_ns: 100, end_ns: 900 },
};

test("the gain is a share of the step, then a time", () => {
  expect(gainText(FINDING)).toBe("−14.2%");
  expect(gainTimeText(FINDING)).toBe("30.1 ms a step");
});

test("a risk gains no time", () => {
  const risk = { ...FINDING, gain: 0, gain_ns: 0 };
  expect([gainText(risk), gainTimeText(risk)]).toEqual(["risk", "no time to gain"]);
});

test("the proof is a window of the trace with marked slices", () => {
  expect(evidenceParameters(FINDING)).toEqual({ marked: "7,12", start: "100", end: "900" });
});

const READ = { unread_ranks: 0, unread_bytes: 0 };

test("rules that found nothing are counted once each", () => {
  expect(silentRules({ ...READ, findings: [], checked: 19, skipped: [] })).toBe("19 rules found nothing");
  expect(silentRules({ ...READ, findings: [], checked: 0, skipped: ["a: no steps"] })).toBe(
    "No rule has what it needs in this trace",
  );
  expect(silentRules({ ...READ, findings: [FINDING, FINDING], checked: 2, skipped: [] })).toBe("1 rule found nothing");
});

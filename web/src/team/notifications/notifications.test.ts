import { expect, test } from "vitest";
import { NEW_RULE, ruleBody, ruleInWords } from "./notifications";

test("a rule has only what belongs to its event", () => {
  const full = { ...NEW_RULE, runs: " ^sweep ", tag: "val/loss", threshold: "3", target: "https://hooks.example/x" };
  expect(ruleBody({ ...full, event: "finished" })).toEqual({
    event: "finished",
    channel: "page",
    condition: { runs: "^sweep" },
    target: "",
  });
  expect(ruleBody({ ...full, event: "threshold", channel: "webhook", side: "below" })).toEqual({
    event: "threshold",
    channel: "webhook",
    condition: { runs: "^sweep", tag: "val/loss", below: 3 },
    target: "https://hooks.example/x",
  });
  expect(ruleBody({ ...full, event: "no_progress" })).toMatchObject({ condition: { runs: "^sweep", minutes: 30 } });
  expect(ruleBody({ ...full, event: "mention" })).toMatchObject({ condition: {} });
});

test.each([
  [{ event: "finished", condition: {} }, "A run finished"],
  [
    { event: "threshold", condition: { tag: "val/loss", above: 3, below: null, runs: "^a" } },
    "A metric crossed a threshold: val/loss above 3, runs matching ^a",
  ],
  [{ event: "no_progress", condition: { minutes: 30 } }, "A run makes no progress: for 30 minutes"],
] as const)("a rule in words", (rule, words) => expect(ruleInWords(rule)).toBe(words));

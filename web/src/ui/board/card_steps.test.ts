import { expect, test } from "vitest";
import { CardState } from "./card_state.svelte";
import { CardSteps } from "./card_steps.svelte";
import { fakeUrl } from "./fake_url";

function stepsWith(params: Record<string, string> = {}): CardSteps {
  const url = fakeUrl(params);
  return new CardSteps(url, new CardState(url));
}

test("a card moves alone, and all of them while they are linked", () => {
  const steps = stepsWith();
  steps.set("a", 4);
  expect([steps.of("a"), steps.of("b")]).toEqual([4, null]);
  steps.toggleLinked();
  expect(steps.of("a")).toBeNull();
  steps.set("a", 7);
  expect([steps.of("a"), steps.of("b")]).toEqual([7, 7]);
  steps.toggleLinked();
  expect([steps.of("a"), steps.of("b")]).toEqual([4, null]);
  steps.set("a", null);
  expect(steps.of("a")).toBeNull();
});

test("a step that is no whole number is the newest", () => {
  expect(stepsWith({ linked: "1", step: "x" }).of("a")).toBeNull();
  expect(stepsWith({ cards: '{"a":{"step":1.5},"b":{"step":"2"}}' }).of("a")).toBeNull();
});

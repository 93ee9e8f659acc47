import { expect, test } from "vitest";
import { Action, asSentence } from "./action.svelte";

test("an action says why it failed, and forgets it when it is run again", async () => {
  const action = new Action();
  expect(await action.run(() => Promise.reject(new Error("there is no such run")))).toBe(false);
  expect(action.error).toBe("There is no such run.");
  expect(await action.run(() => Promise.resolve())).toBe(true);
  expect(action.error).toBe("");
});

test("a second press while the first is under way does nothing", async () => {
  const action = new Action();
  let finish = (): void => undefined;
  const first = action.run(() => new Promise<void>((resolve) => (finish = resolve)));
  expect(action.isBusy).toBe(true);
  let calls = 0;
  expect(await action.run(() => Promise.resolve((calls += 1)))).toBe(false);
  finish();
  expect(await first).toBe(true);
  expect([calls, action.isBusy]).toEqual([0, false]);
});

test.each([
  ["", ""],
  ["is it still running?", "Is it still running?"],
  ["Done.", "Done."],
])("%j as a sentence", (text, sentence) => expect(asSentence(text)).toBe(sentence));

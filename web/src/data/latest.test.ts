import { expect, test } from "vitest";
import { Latest } from "./latest";

test("while one request runs, only the newest wish waits", async () => {
  const done: number[] = [];
  const gates: (() => void)[] = [];
  const latest = new Latest<number>(async (wish) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    done.push(wish);
  });
  [1, 2, 3, 4].forEach((wish) => latest.ask(wish));
  gates.shift()!();
  await new Promise((resolve) => setTimeout(resolve));
  gates.shift()!();
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toEqual([1, 4]);
  expect(gates).toEqual([]);
});

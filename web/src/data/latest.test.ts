import { expect, test, vi } from "vitest";
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

test("a request that throws does not stop the next one", async () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const done: number[] = [];
  const latest = new Latest<number>(async (wish) => {
    if (wish === 1) throw new Error("boom");
    done.push(wish);
  });
  latest.ask(1);
  await new Promise((resolve) => setTimeout(resolve));
  latest.ask(2);
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toEqual([2]);
  expect(reported).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

import { expect, test, vi } from "vitest";
import { LatestOnly } from "./latest_only";

test("while one request runs, only the newest request waits", async () => {
  const done: number[] = [];
  const gates: (() => void)[] = [];
  const latest = new LatestOnly<number>(async (request) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    done.push(request);
  });
  [1, 2, 3, 4].forEach((request) => latest.run(request));
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
  const latest = new LatestOnly<number>(async (request) => {
    if (request === 1) throw new Error("boom");
    done.push(request);
  });
  latest.run(1);
  await new Promise((resolve) => setTimeout(resolve));
  latest.run(2);
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toEqual([2]);
  expect(reported).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

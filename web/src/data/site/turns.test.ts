import { expect, test } from "vitest";
import { Turns } from "./turns";

test("tasks run in order, so many at once, also after one that fails", async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results = [0, 1, 2, 3].map((task) =>
    turns.take(async () => {
      begun.push(task);
      await new Promise<void>((resolve) => (ends[task] = resolve));
      if (task === 0) throw new Error("failed");
      return task;
    }),
  );
  results[0]!.catch(() => undefined);
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await expect(results[0]).rejects.toThrow("failed");
  expect(begun).toEqual([0, 1, 2]);
  ends[1]!();
  ends[2]!();
  expect(await Promise.all(results.slice(1, 3))).toEqual([1, 2]);
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[3]!();
  expect(await results[3]).toBe(3);
});

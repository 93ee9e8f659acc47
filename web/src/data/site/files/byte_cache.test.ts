import { expect, test } from "vitest";
import { ByteCache } from "./byte_cache";

const loads: string[] = [];
const cache = new ByteCache<string, string>(10, (text) => text.length);
const get = (text: string): Promise<string> =>
  cache.get(text, () => {
    loads.push(text);
    return Promise.resolve(text);
  });

test("the least recently used are dropped above the limit", async () => {
  for (const text of ["aaaa", "bbbb", "aaaa", "cccc"]) await get(text);
  expect(loads).toEqual(["aaaa", "bbbb", "cccc"]);
  expect(["aaaa", "bbbb", "cccc"].map((key) => cache.has(key))).toEqual([true, false, true]);
  await get("more than ten characters");
  expect(cache.has("aaaa")).toBe(false);
  expect(cache.has("more than ten characters")).toBe(true);
});

test("what failed is loaded again, and what is loading is shared", async () => {
  await expect(cache.get("x", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  const both = await Promise.all([get("x"), get("x")]);
  expect(both).toEqual(["x", "x"]);
  expect(loads.filter((text) => text === "x")).toHaveLength(1);
});

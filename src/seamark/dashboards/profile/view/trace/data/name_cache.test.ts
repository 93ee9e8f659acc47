import { expect, test, vi } from "vitest";
import { NameCache } from "./name_cache.svelte";

const REF = { run: "a", capture: "b", host: "", steps: "" };

test("names are requested in one batch, once", async () => {
  const fetch = vi.fn((_: unknown, ids: readonly number[]) => Promise.resolve(ids.map((id) => `name ${id}`)));
  const names = new NameCache(() => REF, fetch);
  names.use(REF);
  expect([names.get(3), names.get(17), names.get(3)]).toEqual(["", "", ""]);
  await vi.waitFor(() => expect(names.get(17)).toBe("name 17"));
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(fetch.mock.calls[0]![1]).toEqual([3, 17]);
});

test("another profile has other names", async () => {
  const fetch = vi.fn((_: unknown, ids: readonly number[]) => Promise.resolve(ids.map(() => "x")));
  const names = new NameCache(() => REF, fetch);
  names.use(REF);
  names.get(1);
  await vi.waitFor(() => expect(names.get(1)).toBe("x"));
  names.use({ ...REF, capture: "c" });
  expect(names.get(1)).toBe("");
});

test("names that failed are requested again", async () => {
  const fetch = vi.fn((_: unknown, ids: readonly number[]) =>
    fetch.mock.calls.length === 1 ? Promise.reject(new Error("gone")) : Promise.resolve(ids.map(() => "x")),
  );
  const names = new NameCache(() => REF, fetch);
  names.use(REF);
  await vi.waitFor(() => expect(names.get(1)).toBe("x"));
  expect(fetch).toHaveBeenCalledTimes(2);
});

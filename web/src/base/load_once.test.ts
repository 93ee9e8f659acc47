import { expect, test, vi } from "vitest";
import { loadOnce } from "./load_once";

test("a module is loaded once", async () => {
  const load = vi.fn(() => Promise.resolve("module"));
  const loaded = loadOnce(load);
  expect(await loaded()).toBe("module");
  expect(loaded()).toBe(loaded());
  expect(load).toHaveBeenCalledTimes(1);
});

test("after a failure, the next call loads it again", async () => {
  const load = vi.fn().mockRejectedValueOnce(new Error("offline")).mockResolvedValue("module");
  const loaded = loadOnce(load);
  await expect(loaded()).rejects.toThrow("offline");
  expect(await loaded()).toBe("module");
});

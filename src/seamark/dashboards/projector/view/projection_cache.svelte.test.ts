import { expect, test } from "vitest";
import { DEFAULT_METHOD } from "./model";
import { ProjectionCache } from "./projection_cache.svelte";
import type { Projection, ProjectionRequest } from "./wire";

const request = (name: string): ProjectionRequest => ({
  run: "a",
  name,
  normalize: false,
  center: true,
  sphereize: false,
  method: DEFAULT_METHOD,
  align_to: "",
});
const projection = (rows: number, state: Projection["state"] = "done"): Projection =>
  ({ x: new Float32Array(rows), y: new Float32Array(rows), z: null, state }) as Projection;

test("a finished picture is found by an equal request", () => {
  const cache = new ProjectionCache();
  const found = projection(3);
  cache.add(request("one"), found);
  expect(cache.get(request("one"))).toBe(found);
  expect(cache.get(request("two"))).toBeNull();
  cache.clear();
  expect(cache.get(request("one"))).toBeNull();
});

test("a picture that still changes is not cached", () => {
  const cache = new ProjectionCache();
  cache.add(request("one"), projection(3, "running"));
  expect(cache.get(request("one"))).toBeNull();
});

test("the oldest pictures make room, and one that is too large is left out", () => {
  const cache = new ProjectionCache(2 * 8 * 10);
  cache.add(request("one"), projection(10));
  cache.add(request("two"), projection(10));
  cache.add(request("one"), projection(10));
  cache.add(request("three"), projection(10));
  cache.add(request("large"), projection(100));
  expect(cache.capacityFor(projection(10))).toBe(2);
  expect(["one", "two", "three", "large"].map((name) => cache.get(request(name)) !== null)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

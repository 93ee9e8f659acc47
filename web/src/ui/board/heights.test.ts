import { expect, test } from "vitest";
import { Heights } from "./heights.svelte";

test("a measured height is stored, and estimates the others of its group", () => {
  const heights = new Heights();
  expect(heights.of("a", "text")).toBeUndefined();
  expect(heights.set("a", "text", 120)).toBe(true);
  expect(heights.set("b", "text", 300)).toBe(true);
  expect([heights.of("a", "text"), heights.of("c", "text"), heights.of("d", "images")]).toEqual([120, 300, undefined]);
});

test("the same height, or none, changes nothing", () => {
  const heights = new Heights();
  heights.set("a", "text", 120);
  expect(heights.set("a", "text", 120)).toBe(false);
  expect(heights.set("a", "text", 0)).toBe(false);
  expect(heights.of("a", "text")).toBe(120);
});

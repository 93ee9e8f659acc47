import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { declarationsOf, publishedTypes } from "./plugin_module.js";

test("the published types need no other file, and declare every export once", () => {
  const published = publishedTypes();
  expect(published).not.toMatch(/ from "/);
  const sources = ["seamark_plugin", "view_types"].map((name) => readFileSync(`src/public/${name}.ts`, "utf-8")).join();
  const exported = [...sources.matchAll(/^export (?:async )?(?:const|function|interface|type) (\w+)/gm)];
  expect(exported.length).toBeGreaterThan(20);
  for (const [, name] of exported)
    expect(
      published.match(new RegExp(`^export (declare )?(const|function|interface|type) ${name}\\b`, "gm")),
    ).toHaveLength(1);
});

test("a public type that is not written out is an error", () => {
  expect(() => declarationsOf("export const a = [1].map((b) => b);")).toThrow("seamark_plugin.ts");
});

import { describe, expect, it } from "vitest";
import { isShellKey, KEYS, SHELL_KEYS } from "./keys";

const views = import.meta.glob<string>("../../../src/seamark/dashboards/*/view/**/*.{ts,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const page = import.meta.glob<string>("../{shell,ui}/**/*.{ts,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const literalKeys = (source: string): string[] => [...source.matchAll(/\bkeys: "([^"]+)"/g)].map(([, key]) => key!);
const isTest = (path: string): boolean => path.endsWith(".test.ts");

describe("keys", () => {
  it("have one meaning each", () => {
    const all = [...Object.values(SHELL_KEYS), ...Object.values(KEYS)].map((key) => key.toLowerCase());
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
  });

  it("of the shell are known, however they are written", () => {
    expect([isShellKey("J"), isShellKey("shift+r"), isShellKey("t")]).toEqual([true, true, false]);
  });

  it("of views are in the table, and none is the shell's", () => {
    const known = new Set<string>(Object.values(KEYS));
    const used = Object.entries({ ...views, ...page })
      .filter(([path]) => !isTest(path))
      .flatMap(([path, source]) => literalKeys(source).map((key) => ({ path, key })));
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(({ key }) => !known.has(key))).toEqual([]);
  });

  it("are all used", () => {
    const sources = Object.entries({ ...views, ...page }).filter(([path]) => !isTest(path));
    const isUsed = ([name, key]: [string, string]): boolean =>
      sources.some(([, source]) => source.includes(`KEYS.${name}`) || literalKeys(source).includes(key)) ||
      /^[1-4]$/.test(key);
    expect(Object.entries({ ...SHELL_KEYS, ...KEYS }).filter((entry) => !isUsed(entry))).toEqual([]);
  });
});

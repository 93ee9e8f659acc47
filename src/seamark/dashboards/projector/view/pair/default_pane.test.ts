import { describe, expect, it } from "vitest";
import { leastShared, otherPane, percentText } from "./default_pane";

const entry = (run: string, title: string, steps: number[] = []) => ({
  run,
  title,
  name: `config:${title}${steps.at(-1) ?? ""}`,
  steps: steps.map((step) => ({ step, name: `config:${title}${step}` })),
});
const choose = (entries: ReturnType<typeof entry>[], name = entries[0]!.name, shown: string[] = []) =>
  otherPane(entries, entries[0]!, { run: entries[0]!.run, name }, { method: "pca", shown });

describe("the second pane", () => {
  it("shows the first step beside the last, and the last beside any other", () => {
    const entries = [entry("a", "pool", [0, 10, 20])];
    expect(choose(entries).ref.name).toBe("config:pool0");
    expect(choose(entries, "config:pool10").ref.name).toBe("config:pool20");
  });

  it("shows the same embedding of another run, of a shown one if there is", () => {
    const entries = [entry("a", "pool"), entry("a", "head"), entry("b", "pool"), entry("c", "pool")];
    expect(choose(entries).ref.run).toBe("b");
    expect(choose(entries, undefined, ["c"]).ref.run).toBe("c");
  });

  it("shows another embedding of the run, and with none the same by another method", () => {
    expect(choose([entry("a", "pool"), entry("b", "x"), entry("a", "head")]).ref.name).toBe("config:head");
    expect(choose([entry("a", "pool")])).toEqual({ ref: { run: "a", name: "config:pool" }, method: "umap" });
  });
});

it("says none and all only of none and all", () => {
  expect([0, 0.004, 0.624, 0.998, 1, NaN].map(percentText)).toEqual([
    "0%",
    "<\u00a01%",
    "62%",
    ">\u00a099%",
    "100%",
    "",
  ]);
});

it("finds the rows that share least", () => {
  expect(leastShared(Float32Array.of(0.5, NaN, 0.1, 0.9, 0, 0.1), 3)).toEqual([4, 2, 5]);
  expect(leastShared(new Float32Array(), 3)).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { matchValues, movedIndex, splitLabel } from "./picker";

const RUNS = ["sweep/lr=0.1", "sweep/lr=0.01", "baseline"];
const LABELS: Record<string, string> = { baseline: "Reference" };
const match = (query: string) => matchValues(RUNS, query, (run) => LABELS[run] ?? run);

describe("what matches", () => {
  it.each([
    ["", RUNS],
    ["SWEEP", ["sweep/lr=0.1", "sweep/lr=0.01"]],
    ["refer", ["baseline"]],
    ["1$", ["sweep/lr=0.1", "sweep/lr=0.01"]],
    ["/^base/", ["baseline"]],
    ["lr=0.01", ["sweep/lr=0.01"]],
    ["lr < 0.1", []],
  ])("%j", (query, expected) => {
    expect(match(query)).toEqual({ values: expected, error: "" });
  });

  it("is everything while a pattern is incomplete, with the reason", () => {
    expect(match("(").values).toEqual(RUNS);
    expect(match("(").error).toContain("Not a regular expression");
  });

  it("takes a few milliseconds for 10,000 runs", () => {
    const runs = Array.from({ length: 10_000 }, (_, index) => `sweep/run-${index}`);
    expect(matchValues(runs, "run-99", (run) => run).values).toHaveLength(111);
  });
});

describe("the arrow keys", () => {
  const rows = { count: 100, page: 9 };

  it("move by a row or a page and stay at the ends", () => {
    expect(movedIndex("ArrowDown", 0, rows)).toBe(1);
    expect(movedIndex("ArrowUp", 0, rows)).toBe(0);
    expect(movedIndex("PageDown", 95, rows)).toBe(99);
    expect(movedIndex("PageUp", 50, rows)).toBe(41);
    expect(movedIndex("x", 5, rows)).toBeNull();
  });
});

describe("long labels", () => {
  it("keep their end", () => {
    const [start, end] = splitLabel("experiments/2026-11/transformer-large/seed-17/train");
    expect(end).toBe("-large/seed-17/train");
    expect(start + end).toBe("experiments/2026-11/transformer-large/seed-17/train");
  });
  it("are one part if they are short", () => expect(splitLabel("seed-17/train")).toEqual(["seed-17/train", ""]));
});

import { expect, test } from "vitest";
import { Follower } from "./follow";

/** A page with runs a to e, all shown at first. */
function page(shown = "abcde") {
  const now = new Set(shown);
  const calls: string[] = [];
  return {
    calls,
    now,
    view: {
      isShown: (run: string) => now.has(run),
      check: (runs: readonly string[], wanted: boolean) => {
        calls.push(`${wanted ? "+" : "-"}${runs.join("")}`);
        runs.forEach((run) => (wanted ? now.add(run) : now.delete(run)));
      },
      limitTo: (runs: readonly string[] | null) => {
        calls.push(`only ${runs?.join("") ?? "all"}`);
        now.clear();
        for (const run of runs ?? "abcde") now.add(run);
      },
    },
  };
}

test("a first brush shows only what is inside, the next changes what it changes, none shows all", () => {
  const { calls, view } = page();
  const follower = new Follower();
  follower.follow(null, view);
  follower.follow([..."abcd"], view);
  follower.follow([..."abce"], view);
  follower.follow([..."abce"], view);
  follower.follow(null, view);
  expect(calls).toEqual(["only abcd", "-d", "+e", "only all"]);
});

test("what somebody unchecked by hand stays so while new trials come in", () => {
  const { now, view } = page();
  const follower = new Follower();
  follower.follow(null, view);
  follower.follow([..."abc"], view);
  view.check(["b"], false);
  follower.follow([..."abcd"], view);
  expect([...now].sort().join("")).toBe("acd");
});

test("a page without a brush, or with one whose checks came along, is left as it is", () => {
  const { calls, view } = page("ab");
  new Follower().follow(null, view);
  new Follower().follow([..."abc"], view);
  expect(calls).toEqual([]);
});

test("a brush that was written by hand shows its runs", () => {
  const { calls, view } = page();
  new Follower().follow([..."ab"], view);
  expect(calls).toEqual(["only ab"]);
});

import { expect, test } from "vitest";
import { Follower } from "./follow";

/** A page with runs a to e, all shown at first. */
function page(shown = "abcde") {
  const now = new Set(shown);
  const said: string[] = [];
  return {
    said,
    now,
    view: {
      isShown: (run: string) => now.has(run),
      check: (runs: readonly string[], wanted: boolean) => {
        said.push(`${wanted ? "+" : "-"}${runs.join("")}`);
        runs.forEach((run) => (wanted ? now.add(run) : now.delete(run)));
      },
      limitTo: (runs: readonly string[] | null) => {
        said.push(`only ${runs?.join("") ?? "all"}`);
        now.clear();
        for (const run of runs ?? "abcde") now.add(run);
      },
    },
  };
}

test("a first brush shows only what is inside, the next changes what it changes, none shows all", () => {
  const { said, view } = page();
  const follower = new Follower();
  follower.follow(null, view);
  follower.follow([..."abcd"], view);
  follower.follow([..."abce"], view);
  follower.follow([..."abce"], view);
  follower.follow(null, view);
  expect(said).toEqual(["only abcd", "-d", "+e", "only all"]);
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
  const { said, view } = page("ab");
  new Follower().follow(null, view);
  new Follower().follow([..."abc"], view);
  expect(said).toEqual([]);
});

test("a brush that was written by hand shows its runs", () => {
  const { said, view } = page();
  new Follower().follow([..."ab"], view);
  expect(said).toEqual(["only ab"]);
});

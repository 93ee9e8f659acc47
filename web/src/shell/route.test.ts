import { describe, expect, test } from "vitest";
import { DASHBOARDS, formatRoute, formatSearchRoute, parseRoute, parseSearchRoute, type Route } from "./route";

const there = (address: string): Route => {
  const url = new URL(address, "http://localhost/team/runs/");
  return parseRoute(url.pathname.slice("/team/runs/".length), url.search);
};

test("addresses name their page", () => {
  expect(there("")).toEqual({ page: "dashboards" });
  expect(there("index.html")).toEqual({ page: "dashboards" });
  expect(there("run/lr0.5/seed0")).toEqual({ page: "run", run: "lr0.5/seed0" });
  expect(there("run/")).toEqual({ page: "run", run: "." });
  expect(there("run")).toEqual({ page: "run", run: "." });
  expect(there("run/one%2Ftwo")).toEqual({ page: "run", run: "one/two" });
  expect(there("run/50%")).toEqual({ page: "run", run: "50%" });
  expect(there("compare?runs=a,b/c&token=x")).toEqual({ page: "compare", runs: ["a", "b/c"] });
  expect(there("compare?runs=a,b,a")).toEqual({ page: "compare", runs: ["a", "b"] });
  expect(there("compare")).toEqual({ page: "compare", runs: [] });
});

test("every name survives the way there and back", () => {
  const names = [
    "a b",
    "🌊/ü",
    "<script>alert(1)</script>",
    "100%",
    "a?b#c",
    "x,y\\z",
    "-all",
    ".hidden",
    "a/.b/c ",
    "&=+",
    ".",
  ];
  for (const run of names) expect(there(formatRoute({ page: "run", run }))).toEqual({ page: "run", run });
  expect(there(formatRoute({ page: "compare", runs: names }))).toEqual({ page: "compare", runs: names });
});

test("an address can be read by a person", () => {
  expect(formatRoute({ page: "run", run: "lr0.5/seed0" })).toBe("run/lr0.5/seed0");
  expect(formatRoute({ page: "compare", runs: ["lr0.5/seed0", "lr0.1/seed0"] })).toBe(
    "compare?runs=lr0.5/seed0,lr0.1/seed0",
  );
  expect(formatRoute({ page: "dashboards" })).toBe("");
});

describe("in a published site the route is in a parameter", () => {
  test.each([
    [DASHBOARDS, ""],
    [{ page: "run", run: "lr0.1/seed 0" }, "at=run/lr0.1/seed%25200"],
    [{ page: "run", run: "." }, "at=run/"],
    [{ page: "compare", runs: ["a", "b/c"] }, "at=compare&runs=a,b/c"],
  ] as const)("%o is ?%s", (route, search) => {
    expect(formatSearchRoute(route)).toBe(search);
    expect(parseSearchRoute(`?${search}&token=x`)).toEqual(route);
  });
});

import { expect, test } from "vitest";
import { changedNames, formatHash, parseAddress, restOfSearch } from "./address";

const read = (address: string) => {
  const url = new URL(address, "http://localhost/");
  const { tab, params } = parseAddress(url.search, url.hash);
  return [tab, Object.fromEntries(params)];
};

test("links that people have bookmarked are understood", () => {
  expect(read("#scalars")).toEqual(["scalars", {}]);
  expect(read("#timeseries")).toEqual(["timeseries", {}]);
  expect(read("#scalars&regexInput=baseline")).toEqual(["scalars", { runFilter: "baseline" }]);
  expect(read("#scalars&smoothing=0.8")).toEqual(["scalars", { smoothing: "0.8" }]);
  expect(read("#scalars&_smoothingWeight=0.8&_ignoreYOutliers=false")).toEqual([
    "scalars",
    { smoothing: "0.8", clipOutliers: "false" },
  ]);
  expect(read("?tagFilter=^loss$&runFilter=a%7Cb&smoothing=0.25&darkMode=true#timeseries")).toEqual([
    "timeseries",
    { tagFilter: "^loss$", runFilter: "a|b", smoothing: "0.25", darkMode: "true" },
  ]);
  expect(read("?runColorGroup=regex:(lr.*)_")).toEqual(["", { runColorGroup: "regex:(lr.*)_" }]);
  expect(read('?pinnedCards=[{"plugin":"scalars","tag":"a b"}]')).toEqual([
    "",
    { pinnedCards: '[{"plugin":"scalars","tag":"a b"}]' },
  ]);
});

test("what is behind the # wins, and a lone % is taken as typed", () => {
  expect(read("?smoothing=0.1#scalars&smoothing=0.2")).toEqual(["scalars", { smoothing: "0.2" }]);
  expect(read("#smoothing=50%")).toEqual(["", { smoothing: "50%" }]);
});

test("every value survives the way there and back", () => {
  const params = new Map([
    ["runFilter", "a&b=c#d%e+f ü😀 \"'<script>"],
    ["hide", "x/y,z"],
    ["scalars.open", ""],
  ]);
  const hash = formatHash({ tab: "scalars", params });
  expect(hash).toContain("hide=x/y,z");
  expect(parseAddress("", hash)).toEqual({ tab: "scalars", params });
});

test("what is not ours stays before the #", () => {
  expect(restOfSearch("?token=abc&smoothing=0.1")).toBe("?token=abc");
  expect(restOfSearch("?smoothing=0.1")).toBe("");
});

test("parameters that come, go or get another value are told from those that stay", () => {
  const params = (text: string) => parseAddress("", `#scalars&${text}`).params;
  expect(changedNames(params("a=1&b=2&c=3"), params("a=1&b=9&d=4")).sort()).toEqual(["b", "c", "d"]);
  expect(changedNames(params("a=1"), params("a=1"))).toEqual([]);
});

import { describe, expect, it } from "vitest";
import {
  clustersOfColumn,
  clustersTitle,
  isLowTrust,
  meanOf,
  rowsOfCluster,
  sortedClusters,
  trustByCluster,
  countedClusters,
  countNone,
  firstSort,
} from "./clusters";

const COLUMN = {
  type: "category" as const,
  names: ["trees", "fish 10", "fish 9"],
  values: Int32Array.of(0, 0, 2, 1, -1, 0),
};

describe("clusters of a column", () => {
  it("have the codes of the column, and count its rows", () => {
    const clusters = clustersOfColumn(COLUMN, "class");
    expect(clusters.codes).toBe(COLUMN.values);
    expect(clusters.clusters.map(({ name, points }) => [name, points])).toEqual([
      ["trees", 3],
      ["fish 10", 1],
      ["fish 9", 1],
    ]);
  });

  it("have rows", () => {
    expect([...rowsOfCluster(COLUMN.values, 0)]).toEqual([0, 1, 5]);
    expect([...rowsOfCluster(COLUMN.values, 7)]).toEqual([]);
  });
});

describe("trust of clusters", () => {
  it("is the mean of what is known", () => {
    const trust = trustByCluster(COLUMN.values, Float32Array.of(1, 0.5, NaN, 0.25, 1, NaN), 3);
    expect(trust).toEqual([0.75, 0.25, null]);
  });
});

describe("the order of clusters", () => {
  const clusters = clustersOfColumn(COLUMN, "class");
  const names = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name);

  it("is by points, by name with numbers as numbers, or by trust with the unknown last", () => {
    expect(names(sortedClusters(clusters, null, "points"))).toEqual(["trees", "fish 10", "fish 9"]);
    expect(names(sortedClusters(clusters, null, "name"))).toEqual(["fish 9", "fish 10", "trees"]);
    expect(names(sortedClusters(clusters, [0.9, 0.5, null], "trust"))).toEqual(["fish 10", "trees", "fish 9"]);
    expect(names(sortedClusters(clusters, [0.9, 0.5, null], "trust", true))).toEqual(["trees", "fish 10", "fish 9"]);
  });

  it("keeps the codes", () => {
    expect(sortedClusters(clusters, null, "name").map(({ code }) => code)).toEqual([2, 1, 0]);
  });
});

it("says what clusters are by", () => {
  expect(clustersTitle(20, "column:superclass")).toBe("20 by superclass");
  expect(clustersTitle(1200, "kmeans")).toBe("1,200 by k-means");
});

it("takes the mean of what is known", () => {
  expect(meanOf(Float32Array.of(1, NaN, 0.5))).toBe(0.75);
  expect(meanOf(Float32Array.of(NaN))).toBeNaN();
});

it("marks trust under 0.80 as it is shown", () => {
  expect([0.797, 0.794, null].map(isLowTrust)).toEqual([false, true, false]);
});

it("counts are those of the shown points", () => {
  const codes = Int32Array.of(0, 0, 1, -1, -1);
  const clusters = ["a", "b"].map((name) => ({ name, points: 9, share: 1, trust: null }));
  const visible = Uint8Array.of(1, 0, 1, 1, 0);
  const shown = countedClusters({ clusters, codes, method: "" }, visible);
  expect(shown.clusters.map(({ points }) => points)).toEqual([1, 1]);
  expect([countNone(codes, null), countNone(codes, visible)]).toEqual([2, 1]);
});

it("numbers of classes are in the order of their numbers first, names by their size", () => {
  const named = (names: readonly string[]) => clustersOfColumn({ ...COLUMN, names }, "class");
  expect(firstSort(named(["3", "10", "9"]))).toBe("name");
  expect(firstSort(clustersOfColumn(COLUMN, "class"))).toBe("points");
});

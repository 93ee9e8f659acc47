import { describe, expect, it } from "vitest";
import { barsOf, comparedText, distanceHistogram, distanceText, neighbourRows } from "./neighbours";

const NEIGHBOURS = {
  rows: [7, 31_207, 2],
  labels: ["maple", "", "oak"],
  distances: [0.1, 0.2, 0.4],
  picture_ranks: [3, 4, 0],
  kept: 1,
  compared: 50_000,
  secs: 0.011,
  histogram_counts: [1, 0, 4],
  histogram_edges: [0, 1, 2, 3],
};

describe("neighbours", () => {
  it("are kept if they are among as many neighbours in the picture, and torn if they are among the far ones", () => {
    expect(neighbourRows({ ...NEIGHBOURS, picture_ranks: [30, 31, 3] }).map(({ mark }) => mark)).toEqual(
      ["farther", "torn", "kept"], // prettier-ignore
    );
    expect(neighbourRows(NEIGHBOURS).map(({ mark, title }) => [mark, title])).toEqual([
      ["kept", "Near in the picture too: neighbour 3 in the picture"],
      ["farther", "Farther away in the picture: neighbour 4 in the picture"],
      ["absent", "Not in the picture"],
    ]);
  });

  it("have a label, or the number of the row", () => {
    const rows = neighbourRows(NEIGHBOURS).map(({ label, rowText }) => [label, rowText]);
    expect(rows).toEqual([["maple", "7"], ["row 31,207", ""], ["oak", "2"]]); // prettier-ignore
  });

  it("have bars from zero, or from the smallest dot product", () => {
    expect(barsOf([1, 2, 4])).toEqual([0.25, 0.5, 1]);
    expect(barsOf([-4, -2, 0])).toEqual([0, 0.5, 1]);
    expect(barsOf([0, 0])).toEqual([0, 0]);
    expect(barsOf([])).toEqual([]);
  });

  it("have short distances", () => {
    expect([0, 0.061, 0.00004, 12.345, 123.45, -0.5, 123_456].map(distanceText)).toEqual(
      ["0.000", "0.061", "4.0e−5", "12.35", "123.5", "−0.500", "123k"], // prettier-ignore
    );
  });

  it("say what they were found in", () => {
    expect(comparedText(NEIGHBOURS)).toBe("exact, all 50,000 rows · 11 ms");
  });
});

describe("the histogram of distances", () => {
  it("has heights by the square root of counts", () => {
    const histogram = distanceHistogram(NEIGHBOURS)!;
    expect(histogram.bars.map(({ height }) => height)).toEqual([0.5, 0, 1]);
    expect([histogram.low, histogram.high]).toEqual([0, 3]);
  });

  it("is nothing without rows", () => {
    expect(distanceHistogram({ ...NEIGHBOURS, histogram_counts: [], histogram_edges: [] })).toBeNull();
  });
});

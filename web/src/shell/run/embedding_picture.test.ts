import { describe, expect, it } from "vitest";
import { placePoints } from "./embedding_picture";

const SIZE = { width: 220, height: 120, margin: 10 };

describe("the picture of an embedding", () => {
  it("has the same scale on both axes, and y upwards", () => {
    const placed = placePoints({ x: [0, 10], y: [0, 10] }, SIZE)!;
    expect([...placed.x]).toEqual([60, 160]);
    expect([...placed.y]).toEqual([110, 10]);
  });

  it("leaves out what has no position, and shows a single point in the middle", () => {
    const placed = placePoints({ x: [NaN, 3], y: [NaN, 4] }, SIZE)!;
    expect(placed.x[0]).toBeNaN();
    expect([placed.x[1], placed.y[1]]).toEqual([110, 60]);
    expect(placePoints({ x: [NaN], y: [NaN] }, SIZE)).toBeNull();
  });
});

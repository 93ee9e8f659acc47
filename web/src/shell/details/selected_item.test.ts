import { describe, expect, it } from "vitest";
import { readItem, writeItem } from "./selected_item";

describe("a selected item in the address", () => {
  it.each([
    { type: "run", run: "sweep/lr=0.1,bs=32" },
    { type: "point", run: "alpha", tag: "train/loss: mean", step: 12 },
    { type: "trial", run: "-a\\b" },
    { type: "slice", run: ".", id: "17:4" },
  ])("is read as it was written: %o", (item) => {
    expect(readItem(writeItem(item))).toEqual(item);
  });

  it("is short and readable", () => {
    expect(writeItem({ type: "point", run: "alpha", tag: "train/loss", step: 12 })).toBe(
      "point,run:alpha,tag:train/loss,step:12",
    );
  });

  it("is null where nothing is named, and leaves out what cannot be read", () => {
    expect(readItem(undefined)).toBeNull();
    expect(readItem("")).toBeNull();
    expect(readItem("point,run:alpha,step:many,colour:red")).toEqual({ type: "point", run: "alpha" });
  });
});

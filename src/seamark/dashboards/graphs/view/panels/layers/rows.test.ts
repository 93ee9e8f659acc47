import { describe, expect, test } from "vitest";
import { clampHeight, parseStored } from "./panel.svelte";
import { layerRows, patternOf, selectedLayer, shareOf, splitName } from "./rows";

// A model with two equal blocks of a wide and a narrow layer.
const LAYERS = {
  id: ["h/0/", "h/0/wide/", "h/0/narrow/", "h/1/", "h/1/wide/", "h/1/narrow/", "head/"],
  name: ["h.0", "h.0.wide", "h.0.narrow", "h.1", "h.1.wide", "h.1.narrow", "head"],
  op: ["Block", "Linear", "Linear", "Block", "Linear", "Linear", "Linear"],
  shape: ["8×4", "8×16", "8×4", "8×4", "8×16", "8×4", "8×9"],
  parameters: [50, 30, 20, 50, 30, 20, 7],
  trainable: [50, 30, 20, 50, 30, 20, 0],
  multiply_adds: [5, 3, 2, 5, 3, null, 4],
  bytes: [null, null, null, null, null, null, null],
  time: [null, null, null, null, null, null, null],
  has_unknown_parameters: [false, false, false, true, false, true, false],
  has_unknown_multiply_adds: [false, false, false, true, false, true, false],
  has_unknown_bytes: [false, false, false, false, false, false, false],
  depth: [0, 1, 1, 0, 1, 1, 0],
  first_equal: [0, 1, 2, 0, 1, 2, 6],
  totals: {
    parameters: 107,
    trainable: 100,
    has_unknown_parameters: true,
    multiply_adds: 14,
    bytes: null,
    time: null,
    is_per_example: false,
    is_partial: false,
  },
};

describe("rows", () => {
  test("one for each layer, in the order of the model", () => {
    const rows = layerRows(LAYERS, { isGrouped: false, isInnermost: false });
    expect(rows.map(({ name }) => name)).toEqual(LAYERS.name);
  });

  test("the innermost layers contain no other", () => {
    const rows = layerRows(LAYERS, { isGrouped: false, isInnermost: true });
    expect(rows.map(({ name }) => name)).toEqual(["h.0.wide", "h.0.narrow", "h.1.wide", "h.1.narrow", "head"]);
  });

  test("equal layers are one row with their sums", () => {
    const rows = layerRows(LAYERS, { isGrouped: true, isInnermost: true });
    expect(rows.map(({ name, count }) => `${name} ×${count}`)).toEqual(["h.*.wide ×2", "h.*.narrow ×2", "head ×1"]);
    expect(rows[0]).toMatchObject({ id: "h/0/wide/", parameters: 60, multiply_adds: 6, bytes: null });
    expect(rows[1]!.multiply_adds).toBe(2);
  });

  test("layers with a finding come first, and a row of several has the worst of theirs", () => {
    const findings = new Map([["head/", 1], ["h/1/narrow/", 0]]); // prettier-ignore
    const rows = layerRows(LAYERS, { isGrouped: true, isInnermost: true }, findings);
    expect(rows.map(({ name, finding }) => [name, finding])).toEqual([
      ["h.*.narrow", 0],
      ["head", 1],
      ["h.*.wide", null],
    ]);
  });
});

test("numbers in a name become a star, but not those of a word", () => {
  expect(["h.5.attn", "0", "encoder/12/conv1", "layer1.0.conv2"].map(patternOf)).toEqual([
    "h.*.attn",
    "*",
    "encoder/*/conv1",
    "layer1.*.conv2",
  ]);
});

test("a share is one of the time, or else of the multiply-adds", () => {
  expect(shareOf(LAYERS)).toBe("multiply_adds");
  expect(shareOf({ ...LAYERS, totals: { ...LAYERS.totals, time: 12 } })).toBe("time");
  expect(shareOf({ ...LAYERS, totals: { ...LAYERS.totals, multiply_adds: null } })).toBe("parameters");
});

test("the selected layer is the innermost one around the selected box", () => {
  expect(selectedLayer(LAYERS, ["h/", "h/1/", "h/1/wide/", "h/1/wide/linear"])).toBe(4);
  expect(selectedLayer(LAYERS, ["loss"])).toBe(-1);
});

test("a name has a part above and its own", () => {
  expect(splitName("h.*.attn.c_proj")).toEqual({ above: "h.*.attn.", own: "c_proj" });
  expect(splitName("head")).toEqual({ above: "", own: "head" });
});

test("a stored size is read with limits", () => {
  expect(parseStored(null)).toEqual({ heightPx: 188, isOpen: true });
  expect(parseStored('{"heightPx": 9, "isOpen": false}')).toEqual({ heightPx: 110, isOpen: false });
  expect(parseStored("[")).toEqual({ heightPx: 188, isOpen: true });
  expect(clampHeight(NaN)).toBe(188);
});

import { describe, expect, test } from "vitest";
import { listIndex, TypeAhead, treeAction, treeRows, type TreePosition } from "./tree";

// gpt (open) with wte, h (open) with 0 and 1 (closed), ln_f; and a node beside gpt.
const LABELS = ["gpt", "mask", "wte", "h", "ln_f", "0", "1"];
const PARENTS = [-1, -1, 0, 0, 0, 3, 3];
const ROWS = treeRows(PARENTS);

const at = (label: string): TreePosition => ({
  rows: ROWS,
  boxes: {
    parent: PARENTS,
    type: LABELS.map((name) => (["gpt", "h", "0", "1"].includes(name) ? "group" : "op")),
    is_open: LABELS.map((name) => name === "gpt" || name === "h"),
  },
  active: ROWS.findIndex(({ box }) => LABELS[box] === label),
  page: 3,
});

/** The label of the row that a key goes to, or what it does. */
function press(key: string, label: string, hasShift = false): string | null {
  const action = treeAction(key, hasShift, at(label));
  return action?.type === "move" ? LABELS[ROWS[action.row]!.box]! : (action?.type ?? null);
}

describe("rows", () => {
  test("a group comes before what is in it", () => {
    expect(ROWS.map(({ box }) => LABELS[box])).toEqual(["gpt", "wte", "h", "0", "1", "ln_f", "mask"]);
    expect(ROWS.map(({ level }) => level)).toEqual([1, 2, 2, 3, 3, 2, 1]);
  });

  test("a row knows its position among its siblings", () => {
    expect(ROWS[5]).toMatchObject({ position: 3, siblings: 3 });
    expect(ROWS[6]).toMatchObject({ position: 2, siblings: 2 });
  });

  test("ten thousand levels are no problem", () => {
    const rows = treeRows(Array.from({ length: 10_000 }, (_, box) => box - 1));
    expect(rows.at(-1)).toMatchObject({ box: 9999, level: 10_000 });
  });
});

describe("keys", () => {
  test("up and down move by a row, Home and End to the ends", () => {
    expect(press("ArrowDown", "wte")).toBe("h");
    expect(press("ArrowUp", "wte")).toBe("gpt");
    expect(press("ArrowUp", "gpt")).toBe("gpt");
    expect(press("End", "wte")).toBe("mask");
    expect(press("Home", "ln_f")).toBe("gpt");
    expect(press("PageDown", "gpt")).toBe("0");
  });

  test("right opens a group, then enters it", () => {
    expect(press("ArrowRight", "0")).toBe("toggle");
    expect(press("ArrowRight", "h")).toBe("0");
    expect(press("ArrowRight", "wte")).toBeNull();
  });

  test("left closes a group, or goes to the group around", () => {
    expect(press("ArrowLeft", "h")).toBe("toggle");
    expect(press("ArrowLeft", "1")).toBe("h");
    expect(press("ArrowLeft", "mask")).toBeNull();
  });

  test("Enter opens and closes a group; with Shift it opens all below", () => {
    expect(press("Enter", "h")).toBe("toggle");
    expect(press("Enter", "0", true)).toBe("openBelow");
    expect(press("Enter", "wte")).toBeNull();
  });

  test("an empty list goes nowhere", () => {
    expect(listIndex("End", 0, { count: 0, page: 3 })).toBeNull();
  });
});

describe("typing", () => {
  const labels = ["conv1", "bn1", "conv2", "pool"];

  test("chooses the next row that begins with the letters", () => {
    const typing = new TypeAhead();
    expect(typing.find("p", 0, labels, 0)).toBe(3);
    expect(typing.find("x", 100, labels, 3)).toBeNull();
  });

  test("the same letter again goes on to the next one", () => {
    const typing = new TypeAhead();
    expect(typing.find("c", 0, labels, 0)).toBe(2);
    expect(typing.find("c", 100, labels, 2)).toBe(0);
  });

  test("letters after a pause begin anew", () => {
    const typing = new TypeAhead();
    expect(typing.find("c", 0, labels, 3)).toBe(0);
    expect(typing.find("o", 100, labels, 0)).toBe(0);
    expect(typing.find("b", 2000, labels, 0)).toBe(1);
  });
});

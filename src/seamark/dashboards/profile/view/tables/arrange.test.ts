import { describe, expect, it } from "vitest";
import { arrangeRows, arrangeTree, openAtFirst, pathTo } from "./arrange";
import { cellText, exactText, rangeScale, type ProfileColumn } from "./columns";
import { sortAfterClick } from "./row_source";

interface Row {
  readonly name: string;
  readonly ns: number | null;
  readonly parent: number;
}
const COLUMNS: readonly ProfileColumn<Row>[] = [
  { id: "name", title: "Name", type: "name", value: ({ name }) => name },
  { id: "ns", title: "Time", type: "time", value: ({ ns }) => ns },
];
const row = (name: string, ns: number | null, parent = -1): Row => ({ name, ns, parent });
const names = (rows: readonly { readonly name: string }[]): string => rows.map(({ name }) => name).join(" ");

describe("arrangeRows", () => {
  const rows = [row("aten::mm", 5), row("aten::add", null), row("aten::addmm", 9)];

  it("sorts by a column, with what the trace does not have at the end", () => {
    expect(names(arrangeRows(rows, COLUMNS, { sort: [{ id: "ns", descending: true }], filter: "" }))).toBe(
      "aten::addmm aten::mm aten::add",
    );
  });

  it("leaves the order alone when the address names a column that there is not", () => {
    expect(arrangeRows(rows, COLUMNS, { sort: [{ id: "no", descending: true }], filter: "" })).toEqual(rows);
  });

  it("keeps the rows with all words of the filter, in any case", () => {
    expect(names(arrangeRows(rows, COLUMNS, { sort: [], filter: "ATEN add" }))).toBe("aten::add aten::addmm");
  });
});

describe("arrangeTree", () => {
  const nodes = [row("model", 10), row("a", 2, 0), row("a.x", 1, 1), row("b", 8, 0), row("optimizer", 3)];
  const arranged = (open: readonly number[], filter = ""): string =>
    arrangeTree(nodes, COLUMNS, { sort: [{ id: "ns", descending: true }], filter }, (index) => open.includes(index))
      .map(({ node, level, isOpen }) => `${node.name}${level}${isOpen === null ? "" : isOpen ? "-" : "+"}`)
      .join(" ");

  it("shows what is below open rows only, siblings in order", () => {
    expect(arranged([])).toBe("model0+ optimizer0");
    expect(arranged([0])).toBe("model0- b1 a1+ optimizer0");
    expect(arranged([0, 1])).toBe("model0- b1 a1- a.x2 optimizer0");
  });

  it("opens everything above a match while there is a filter", () => {
    expect(arranged([], "a.x")).toBe("model0- a1- a.x2");
  });

  it("opens the path of the largest value at first, until it divides", () => {
    const size = ({ ns }: Row): number => ns ?? 0;
    expect(openAtFirst(nodes, size)).toEqual([0]);
    expect(openAtFirst([row("a", 9), row("b", 8, 0), row("c", 4, 1), row("d", 3, 1)], size)).toEqual([0, 1]);
    expect(openAtFirst([], size)).toEqual([]);
  });
});

describe("cells", () => {
  it("says n/a for what the trace cannot give", () => {
    expect(cellText(null, "time")).toBe("n/a");
    expect(cellText(true, "flag")).toBe("yes");
    expect(cellText(0.125, "share")).toBe("12.5%");
    expect(exactText(1_240_123, "time")).toBe("1,240,123 ns");
  });
});

describe("rangeScale", () => {
  it("places times by their size between the shortest and the longest", () => {
    const scale = rangeScale([
      { min: 10, mean: 20, max: 100 },
      { min: 100, mean: 500, max: 1000 },
    ]);
    expect([10, 100, 1000].map((ns) => scale(ns).toFixed(2))).toEqual(["0.00", "0.50", "1.00"]);
    expect(rangeScale([{ min: 5, mean: 5, max: 5 }])(5)).toBe(0.5);
    expect(rangeScale([])(5)).toBe(0.5);
  });
});

describe("sortAfterClick", () => {
  const down = [{ id: "ns", descending: true }];
  const up = [{ id: "ns", descending: false }];

  it("sorts numbers down, then up, then not at all", () => {
    expect(sortAfterClick([], up, COLUMNS)).toEqual(down);
    expect(sortAfterClick(down, [], COLUMNS)).toEqual(up);
    expect(sortAfterClick(up, down, COLUMNS)).toEqual([]);
  });

  it("sorts texts as the grid does", () => {
    const name = [{ id: "name", descending: false }];
    expect(sortAfterClick(down, name, COLUMNS)).toEqual(name);
  });
});

it("finds the path to a node", () => {
  const nodes = [{ parent: -1 }, { parent: 0 }, { parent: 1 }, { parent: 0 }];
  expect(pathTo(nodes, 2)).toEqual([0, 1]);
  expect(pathTo(nodes, 0)).toEqual([]);
});

it("writes a bandwidth as bytes a second", () => {
  expect(cellText(9_750_000_000, "bandwidth")).toBe("9.75 GB/s");
  expect(cellText(45_234_000_000, "amount")).toBe("45.2G");
  expect(exactText(9_750_000_000, "bandwidth")).toBe("9,750,000,000 B/s");
});

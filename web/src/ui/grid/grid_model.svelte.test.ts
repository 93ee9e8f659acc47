import { flushSync } from "svelte";
import { expect, test } from "vitest";
import type { GridColumn, GridProps } from "./grid";
import { GridModel } from "./grid_model.svelte";
import { LocalSource } from "./local";
import type { SortTerm } from "./sort";

const column = (id: string, widthPx = 100): GridColumn => ({ id, title: id, type: "number", widthPx });

/** A grid of 100 rows and 50 columns, 500 × 528 pixels, whose owner applies what the grid reports. */
function gridWith(given: Partial<GridProps> = {}) {
  const log: string[] = [];
  let selected = $state.raw<ReadonlySet<string>>(new Set());
  let sort = $state.raw<readonly SortTerm[]>([]);
  let columns = $state.raw(Array.from({ length: 50 }, (_, index) => column(`c${index}`)));
  const rows = Array.from({ length: 100 }, (_, index) => ({ key: `r${index}`, cells: {} }));
  const props: GridProps = {
    source: new LocalSource(rows),
    first: column("name", 170),
    get columns() {
      return columns;
    },
    label: "Test",
    get sort() {
      return sort;
    },
    onsort: (next) => void (sort = next),
    get selected() {
      return selected;
    },
    onselect: (keys, isSelected) =>
      void (selected = isSelected
        ? new Set([...selected, ...keys])
        : new Set([...selected].filter((key) => !keys.includes(key)))),
    onresize: (id, widthPx) => void (columns = columns.map((each) => (each.id === id ? { ...each, widthPx } : each))),
    onmove: (from, to) => void log.push(`move ${from} ${to}`),
    ...given,
  };
  const grid = new GridModel("g", props, 25);
  grid.rows.clientHeight = 528;
  grid.clientWidth = 500;
  grid.rows.element = { scrollTop: 0, scrollLeft: 0 } as HTMLElement;
  const press = (key: string, more: Partial<KeyboardEvent> = {}): boolean =>
    grid.press({ key, ctrlKey: false, shiftKey: false, ...more } as KeyboardEvent);
  return { grid, press, log };
}

test("only the columns on screen are drawn, beside the first, which stays", () => {
  const { grid } = gridWith();
  expect([grid.frozenPx, grid.widthPx]).toEqual([200, 5200]);
  expect(grid.drawnIds).toEqual(["name", "c0", "c1", "c2", "c3", "c4"]);
  grid.scroll({ scrollTop: 0, scrollLeft: 1010 });
  const { columnIndices } = grid;
  expect(columnIndices).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
  grid.scroll({ scrollTop: 0, scrollLeft: 1020 });
  expect(grid.columnIndices).toBe(columnIndices);
});

test("a narrow grid leaves half of its width to the columns that scroll", () => {
  const { grid } = gridWith();
  grid.clientWidth = 300;
  expect(grid.frozenPx).toBe(180);
});

test("the keys move over cells and scroll them into view", () => {
  const { grid, press } = gridWith();
  expect(press("x")).toBe(false);
  press("ArrowDown");
  expect(grid.cursor).toEqual({ row: 0, column: -1 });
  press("End", { ctrlKey: true });
  expect(grid.cursor).toEqual({ row: 99, column: 49 });
  expect(grid.rows.element).toMatchObject({ scrollTop: 2000, scrollLeft: 4700 });
  expect([grid.activeColumn(99), grid.activeColumn(98)]).toEqual([49, null]);
});

test("Enter in the header sorts, and Shift resizes", () => {
  const { grid, press, log } = gridWith();
  press("ArrowRight");
  press("Enter");
  expect(grid.props.sort).toEqual([{ id: "c0", descending: false }]);
  press("ArrowRight", { shiftKey: true });
  expect(grid.columns[0]!.widthPx).toBe(116);
  press("ArrowRight", { ctrlKey: true });
  expect([log, grid.cursor]).toEqual([["move 0 2"], { row: -1, column: 1 }]);
});

test("a list with the same order does not scroll to the top", () => {
  const { grid } = gridWith();
  let changes = -1;
  const stop = $effect.root(() => {
    $effect(() => {
      void grid.order;
      changes += 1;
    });
  });
  flushSync();
  grid.props.onsort([]);
  flushSync();
  expect(changes).toBe(0);
  grid.props.onsort([{ id: "c0", descending: true }]);
  flushSync();
  expect(changes).toBe(1);
  stop();
});

test("rows are selected one by one, by ranges, and all", async () => {
  const { grid, press } = gridWith();
  grid.pick(3, -1);
  press(" ");
  press("ArrowDown", { shiftKey: true });
  await Promise.resolve();
  expect([...grid.props.selected!]).toEqual(["r3", "r4"]);
  grid.toggle(1, true);
  await Promise.resolve();
  expect([...grid.props.selected!].sort()).toEqual(["r1", "r2", "r3", "r4"]);
  expect(grid.allSelected).toBe("mixed");
  await grid.toggleAll();
  expect(grid.allSelected).toBe("true");
  await grid.toggleAll();
  expect(grid.allSelected).toBe("false");
});

test("a border that is dragged moves before its owner stores the width", () => {
  const { grid } = gridWith();
  grid.resize("c1", 250, false);
  expect([...grid.edges.slice(0, 4)]).toEqual([0, 100, 350, 450]);
  expect(grid.props.columns[1]!.widthPx).toBe(100);
  grid.resize("c1", 260, true);
  expect(grid.props.columns[1]!.widthPx).toBe(260);
});

test("a grid whose owner takes no selection has no checkboxes", () => {
  const { grid, press } = gridWith({ selected: undefined!, onselect: undefined! });
  expect([grid.canSelect, grid.isSelected("r1"), grid.frozenPx]).toEqual([false, null, 170]);
  expect(press("a", { ctrlKey: true })).toBe(false);
});

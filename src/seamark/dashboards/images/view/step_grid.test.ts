import { expect, test } from "vitest";
import { cellsWithin, gridOf } from "./step_grid";

const screen = { top: 0, left: 0, bottom: 600, right: 1000 };

test("runs go across and steps down", () => {
  const grid = gridOf({ steps: 10_000, runs: 3, width: 1000, size: 100 });
  expect([grid.isWrapped, grid.columns, grid.rows, grid.height]).toEqual([false, 3, 10_000, 1_000_012]);
  const cells = cellsWithin(grid, screen);
  expect(cells.length).toBe(18);
  expect(cells[4]).toEqual({ run: 1, step: 1, row: 1, left: 172, top: 100 });
});

test("ten thousand steps of one run fill the page, and the last one is reachable", () => {
  const grid = gridOf({ steps: 10_000, runs: 1, width: 1000, size: 100 });
  expect([grid.isWrapped, grid.columns, grid.rows]).toEqual([true, 9, 1112]);
  const last = cellsWithin(grid, { ...screen, top: grid.height - 200, bottom: grid.height }).at(-1);
  expect(last).toMatchObject({ run: 0, step: 9_999 });
});

test("cells are shaped as the images are, within reason", () => {
  expect(gridOf({ steps: 5, runs: 2, width: 1000, size: 120, aspect: 1.5 }).cellHeight).toBe(80);
  expect(gridOf({ steps: 5, runs: 2, width: 1000, size: 120, aspect: 100 }).cellHeight).toBe(30);
});

test("of a thousand runs only the columns in view are made", () => {
  const grid = gridOf({ steps: 5, runs: 1000, width: 1000, size: 100 });
  expect(
    new Set(cellsWithin(grid, { ...screen, left: 50_000, right: 51_000 }).map(({ run }) => run)).size,
  ).toBeLessThan(13);
});

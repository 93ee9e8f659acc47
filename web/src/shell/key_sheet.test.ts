import { expect, test } from "vitest";
import { keysOf, sheetOf } from "./key_sheet";

const run = () => undefined;

test("commands with keys are listed by group, those without are not", () => {
  expect(
    sheetOf([
      { title: "Runs: filter", keys: "/", run },
      { title: "Theme: dark", run },
      { title: "Pin", keys: "p", run },
    ]),
  ).toEqual([
    { title: "Runs", keys: [{ title: "Filter", keys: "/" }] },
    { title: "Here", keys: [{ title: "Pin", keys: "p" }] },
    { title: "Chart in focus", keys: expect.any(Array) as unknown },
    { title: "Table in focus", keys: expect.any(Array) as unknown },
    { title: "Graph in focus", keys: expect.any(Array) as unknown },
    { title: "Projector in focus", keys: expect.any(Array) as unknown },
    { title: "Trace in focus", keys: expect.any(Array) as unknown },
    { title: "What-If in focus", keys: expect.any(Array) as unknown },
    { title: "Editor in focus", keys: expect.any(Array) as unknown },
    { title: "Worst slices in focus", keys: expect.any(Array) as unknown },
    { title: "Page", keys: [{ title: "Close the topmost thing", keys: "Esc" }] },
  ]);
});

test("the sign between keys is no key, and the key + is", () => {
  expect(["Ctrl+K", "+ −", "+", "N Shift+N ⌫", "Ctrl++"].map(keysOf)).toEqual([
    [["Ctrl", "K"]],
    [["+"], ["−"]],
    [["+"]],
    [["N"], ["Shift", "N"], ["⌫"]],
    [["Ctrl", "+"]],
  ]);
});

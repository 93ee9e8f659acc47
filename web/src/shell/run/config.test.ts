import { expect, test } from "vitest";
import { countOf, rowsOf, treeOf, wholeConfig, type ConfigRow } from "./config";

const config = {
  model: { name: "resnet50", drop_path: 0.05 },
  optim: { lr: 0.001, ema: 0.9999, betas: [0.9, 0.95] },
  seed: 0,
};
const other = {
  model: { name: "resnet50", drop_path: 0.1 },
  optim: { lr: 0.001, betas: [0.9, 0.95], clip: 1 },
  seed: 0,
};
const nothing = { toggled: new Set<string>(), changesOnly: false, find: "" };
const shown = (rows: readonly ConfigRow[]) =>
  rows.map(
    ({ node, depth, isOpen }) =>
      `${"  ".repeat(depth)}${node.children.length > 0 ? (isOpen ? "v " : "> ") : ""}${node.name} ${node.state} ${node.mine ?? "-"} ${node.other ?? "-"}`,
  );

test("a config alone is a tree in its own order, lists as JSON", () => {
  expect(shown(rowsOf(treeOf(config, null), nothing))).toEqual([
    "v model  - -",
    "  name  resnet50 -",
    "  drop_path  0.05 -",
    "v optim  - -",
    "  lr  0.001 -",
    "  ema  0.9999 -",
    "  betas  [0.9,0.95] -",
    "seed  0 -",
  ]);
});

test("beside another run, every key says what became of it", () => {
  const nodes = treeOf(config, other);
  expect(shown(rowsOf(nodes, { ...nothing, changesOnly: true }))).toEqual([
    "v model changed - -",
    "  drop_path changed 0.05 0.1",
    "v optim changed - -",
    "  ema added 0.9999 -",
    "  clip removed - 1",
  ]);
  expect(countOf(nodes)).toEqual({ all: 7, changed: 1, added: 1, removed: 1 });
});

test("a folder without a difference is closed, and opens", () => {
  const nodes = treeOf({ data: { a: 1, b: 2 } }, { data: { a: 1, b: 2 } });
  expect(shown(rowsOf(nodes, nothing))).toEqual(["> data same - -"]);
  expect(rowsOf(nodes, { ...nothing, toggled: new Set(["data"]) })).toHaveLength(3);
});

test("a value that became a folder is both", () => {
  expect(shown(rowsOf(treeOf({ optim: "adam" }, { optim: { name: "adam" } }), nothing))).toEqual([
    "optim added adam -",
    "v optim changed - -",
    "  name removed - adam",
  ]);
});

test("looking for a text opens what holds it", () => {
  const nodes = treeOf({ deep: { deeper: { lr: 1 } }, x: "LR finder", y: 0 }, null);
  expect(shown(rowsOf(nodes, { ...nothing, find: "lr" }))).toEqual([
    "v deep  - -",
    "  v deeper  - -",
    "    lr  1 -",
    "x  LR finder -",
  ]);
  expect(rowsOf(nodes, { ...nothing, find: "deeper.lr" })).toHaveLength(3);
});

test("names of Object's own, dots and markup are names like others", () => {
  const odd = JSON.parse(
    '{"__proto__": 1, "constructor": 2, "a.b": 3, "a": {"b": 4}, "<script>": "x", "": null, "empty": {}}',
  ) as Record<string, unknown>;
  const nodes = treeOf(odd, {});
  expect(countOf(nodes)).toEqual({ all: 7, changed: 0, added: 7, removed: 0 });
  expect(new Set(rowsOf(nodes, nothing).map(({ node }) => node.id)).size).toBe(8);
});

test("many keys start closed", () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`g${index}`, { a: 1 }]));
  expect(rowsOf(treeOf(many, null), nothing)).toHaveLength(100);
});

test("what other files say of the parameters stands beside the config", () => {
  expect(wholeConfig({ config: { a: { b: 1 } }, params: { "a.b": 1 } })).toEqual({ a: { b: 1 } });
  expect(wholeConfig({ config: { a: { b: 1 } }, params: { "a.b": 1, seed: 3 } })).toEqual({ a: { b: 1 }, seed: 3 });
  expect(wholeConfig({ config: {}, params: { lr: 0.1 } })).toEqual({ lr: 0.1 });
});

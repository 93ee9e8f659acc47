import { expect, test } from "vitest";
import { chartText, imagesText, insertBlock, tableText } from "./block_text";

test("blocks are YAML in a fence", () => {
  expect(chartText(["a", "sweep/b"], "train/loss")).toBe("```chart\nruns: [a, sweep/b]\ntags: [train/loss]\n```");
  expect(tableText(["a"], ["val/loss"])).toBe("```table\nruns: [a]\ncolumns: [val/loss]\n```");
  expect(tableText(["a"], [])).toBe("```table\nruns: [a]\n```");
  expect(imagesText(["a"], "val/picture")).toContain("```images\n");
});

test("names that YAML would read otherwise are quoted", () =>
  expect(chartText(["1e3", "a, b", "yes: no", 'say "x"'], "loss")).toContain(
    'runs: ["1e3", "a, b", "yes: no", "say \\"x\\""]',
  ));

test("a block gets lines of its own", () => {
  expect(insertBlock("", 0, "B")).toEqual({ text: "B\n\n", caret: 3 });
  const { text, caret } = insertBlock("before after", 7, "B");
  expect(text).toBe("before\n\nB\n\nafter");
  expect(text.slice(caret)).toBe("after");
});

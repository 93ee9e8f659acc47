import { expect, test } from "vitest";
import { find } from "./palette";

const titles = ["Open Scalars", "Open Histograms", "Theme: dark", "train/loss", "eval/loss_ema"].map((title) => ({
  title,
}));
const found = (query: string) => find(titles, query, 3).map((entry) => entry.title);

test("words in any order, beginnings first, letters in order as a last resort", () => {
  expect(found("loss")).toEqual(["train/loss", "eval/loss_ema"]);
  expect(found("dark theme")).toEqual(["Theme: dark"]);
  expect(found("osc")[0]).toBe("Open Scalars");
  expect(found("xyz")).toEqual([]);
  expect(found("")).toHaveLength(3);
});

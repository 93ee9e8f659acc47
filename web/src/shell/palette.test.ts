import { expect, test } from "vitest";
import { find, suggestions } from "./palette";

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

test("before anything is typed, pages come first and steps along the list of runs last", () => {
  const commands = ["Runs: next", "Theme: dark", "Runs: previous", "Open Scalars", "Open HParams"].map((title) => ({
    title,
  }));
  const offered = suggestions(commands, 4).map(({ title }) => title);
  expect(offered).toEqual(["Open Scalars", "Open HParams", "Theme: dark", "Runs: next"]);
});

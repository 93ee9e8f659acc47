import { expect, test } from "vitest";
import { fileName } from "./save";

test("a tag becomes a file name", () => {
  expect(fileName("train/loss", "csv")).toBe("train_loss.csv");
  expect(fileName("../..//<script>", "svg")).toBe("script.svg");
  expect(fileName("///", "png")).toBe("series.png");
  expect(fileName("x".repeat(300), "csv")).toHaveLength(84);
});

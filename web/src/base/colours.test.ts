import { expect, test } from "vitest";
import { RunColours } from "./colours";

test("a run keeps its colour, whoever comes later", () => {
  const colours = new RunColours();
  const first = colours.of("a");
  colours.of("b");
  expect(colours.of("a")).toBe(first);
  expect(first).toEqual({ token: "--run-1", dashed: false });
});

test("hue families that repeat are dashed, and the palette starts again after 24", () => {
  const colours = new RunColours();
  const styles = Array.from({ length: 25 }, (_, index) => colours.of(`run${index}`));
  expect(styles[11]!.dashed).toBe(false);
  expect(styles[12]!.dashed).toBe(true);
  expect(styles[24]!.token).toBe("--run-1");
});

import { expect, test } from "vitest";
import { assignColours, parseColouring } from "./colouring";

const runs = ["resnet/lr1_seed0", "resnet/lr1_seed1", "vit/lr2_seed0"].map((name, position) => ({ name, position }));
const tokens = (text: string) => assignColours(runs, parseColouring(text)).map((style) => style.token);

test("every run has a colour of its own, by its place and whoever else is there", () => {
  expect(tokens("")).toEqual(["--run-1", "--run-2", "--run-3"]);
  expect(assignColours([runs[2]!], parseColouring("run"))[0]!.token).toBe("--run-3");
});

test("one colour for each folder, or for what an expression catches", () => {
  expect(tokens("folder")).toEqual(["--run-1", "--run-1", "--run-2"]);
  expect(tokens("regex:seed(\\d)")).toEqual(["--run-1", "--run-2", "--run-1"]);
  expect(tokens("regex:resnet")).toEqual(["--run-1", "--run-1", "--text-3"]);
  expect(assignColours(runs, parseColouring("regex:(lr.)_seed(.)")).map((style) => style.group)).toEqual([
    "lr1 · 0",
    "lr1 · 1",
    "lr2 · 0",
  ]);
});

test("a bad expression is explained and every run keeps its own colour", () => {
  expect(parseColouring("regex:(").error).toContain("Not a regular expression");
  expect(tokens("regex:(")).toEqual(["--run-1", "--run-2", "--run-3"]);
});

test("a colour chosen by hand wins", () => {
  expect(assignColours([{ ...runs[0]!, chosen: "#ff0000" }], parseColouring("folder"))[0]).toEqual({
    token: "#ff0000",
    dashed: false,
    group: "resnet/",
  });
});

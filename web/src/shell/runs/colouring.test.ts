import { expect, test } from "vitest";
import { assignColours, numberCharts, parseColouring } from "./colouring";

const runs = ["resnet/lr1_seed0", "resnet/lr1_seed1", "vit/lr2_seed0"].map((name, position) => ({ name, position }));
const tokens = (text: string) => assignColours(runs, parseColouring(text)).map((style) => style.token);

test("every run has a colour of its own, by its place and whoever else is there", () => {
  expect(tokens("")).toEqual(["--run-1", "--run-2", "--run-3"]);
  expect(assignColours([runs[2]!], parseColouring("run"))[0]!.token).toBe("--run-3");
});

test("no two runs that are shown are alike while there are colours left", () => {
  // As in a log directory with nine torch trainings and their folders: of 36 runs those are shown that had two colours.
  const places = [0, 9, 14, 24, 33];
  const shown = new Set(places);
  const many = Array.from({ length: 36 }, (_, position) => ({
    name: `run${position}`,
    position,
    isShown: shown.has(position),
  }));
  const styles = assignColours(many, parseColouring("run"));
  expect(places.map((place) => styles[place]!.token)).toEqual([
    "--run-1",
    "--run-10",
    "--run-15",
    "--run-2",
    "--run-11",
  ]);
  // Beyond the palette each colour is used as often as the others, and what came first keeps its own.
  const all = assignColours(
    many.map(({ name, position }) => ({ name, position })),
    parseColouring("run"),
  );
  expect(all.slice(0, 24).map(({ token }) => token)).toEqual(
    Array.from({ length: 24 }, (_, place) => `--run-${place + 1}`),
  );
  expect(new Set(all.slice(24).map(({ token }) => token)).size).toBe(12);
});

test("runs that never meet in a chart take no colours from each other", () => {
  const names = Array.from(
    { length: 36 },
    (_, index) => `training${index >> 2}${["", "/1", "/loss_train", "/loss_val"][index & 3]!}`,
  );
  const of = (...kinds: number[]) => ({ runs: names.filter((_, index) => kinds.includes(index & 3)) });
  const charts = numberCharts([...names, "nothing logged"], [of(0), of(1), of(2, 3), of(2)]);
  expect(new Set(charts).size).toBe(4);
  const styles = assignColours(
    names.map((name, position) => ({ name, position, chart: charts[position]! })),
    parseColouring("run"),
  );
  for (const kinds of [[0], [1], [2, 3]]) {
    const tokens = styles.filter((_, index) => kinds.includes(index & 3)).map(({ token }) => token);
    expect(new Set(tokens).size).toBe(tokens.length);
  }
});

test("few runs with late places, and a colour chosen by hand, are told apart", () => {
  const late = [0, 24, 48].map((position) => ({ name: `${position}`, position }));
  expect(assignColours(late, parseColouring("")).map(({ token }) => token)).toEqual(["--run-1", "--run-2", "--run-3"]);
  const chosen = [{ ...late[0]! }, { name: "x", position: 1, chosen: "--run-1" }];
  expect(assignColours(chosen, parseColouring("")).map(({ token }) => token)).toEqual(["--run-2", "--run-1"]);
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

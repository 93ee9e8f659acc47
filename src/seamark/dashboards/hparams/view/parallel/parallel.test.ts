import { expect, test } from "vitest";
import { axisOf } from "../axes/axes";
import { columnFrom } from "../columns/testing";
import { themeColours } from "$public/charts";
import { goodnessOf, worstFirst } from "../columns/goodness";
import { alphaFor, easeAt, LineField } from "./line_field";
import { BrushedLines, nearestRow, ysOf, plotAreaOf, shortNames, yOf } from "./parallel";

const shape = { width: 40, height: 20, xs: [0, 20, 39] };
const ramp = themeColours.ramp([0xff0000, 0x00ff00, 0x0000ff, 0, 0, 0, 0xffffff]);

test("a curve leaves and reaches both axes level, and is the same from both sides", () => {
  expect(easeAt(0)).toBeCloseTo(0, 6);
  expect(easeAt(1)).toBeCloseTo(1, 6);
  expect(easeAt(0.5)).toBeCloseTo(0.5, 6);
  expect(easeAt(0.3)).toBeCloseTo(1 - easeAt(0.7), 4);
  expect(easeAt(0.05)).toBeLessThan(0.02);
});

test("axes are named without their part of the configuration, where the name is clear", () => {
  expect(shortNames(["optim.learning_rate", "optim.name", "model.name", "a.b.width", "seed", "eval/loss min"])).toEqual(
    ["learning_rate", "optim.name", "model.name", "width", "seed", "eval/loss min"],
  );
  expect(shortNames(["name", "model.name", "x.model.name"])).toEqual(["name", "model.name", "x.model.name"]);
});

test("what was added and taken away leaves nothing", () => {
  const field = new LineField(shape);
  const ys = Float32Array.from([2, 15.3, 7.7, 19, 0, 4]);
  field.add(ys, 0, 200, 1);
  expect(field.cover.some((covered) => covered > 0)).toBe(true);
  field.add(ys, 3, 10, 1);
  field.add(ys, 0, 200, -1);
  field.add(ys, 3, 10, -1);
  expect(field.cover.every((covered) => covered === 0)).toBe(true);
});

test("every column between the axes has ink, and a curve that leaves the field harms nobody", () => {
  const field = new LineField(shape);
  field.add(Float32Array.from([-30, 10, 500]), 0, 0, 1);
  field.add(Float32Array.from([5, 10, 5]), 0, 0, 1);
  for (let x = 0; x < 39; x += 1)
    expect(field.cover.subarray(x * 20, x * 20 + 20).some((covered) => covered > 0)).toBe(true);
});

test("the colour is that of the good ones where good and poor cross", () => {
  const field = new LineField({ width: 10, height: 4, xs: [0, 9] });
  const level = Float32Array.from([2, 2]);
  field.add(level, 0, 255, 1);
  for (let poor = 0; poor < 3; poor += 1) field.add(level, 0, 0, 1);
  const words = new Uint32Array(10 * 4);
  const pixels = new Uint8Array(words.buffer);
  field.colour(words, themeColours.ramp([0x000000, 0xffffff]), 0.5);
  const at = (2 * 10 + 5) * 4;
  expect(pixels[at]).toBeGreaterThan(170);
  expect(pixels[at + 3]).toBeGreaterThan(150);
});

test("a brush that moves ends where a fresh one would", () => {
  const rows = 50;
  const columns = [0, 1, 2].map((axis) =>
    columnFrom({
      id: `param:${axis}`,
      type: "number",
      values: Array.from({ length: rows }, (_, row) => ((row * (axis + 3) * 7919) % 101) / 100),
    }),
  );
  const axes = columns.map((column) => axisOf(column, { scale: "linear" }));
  const area = plotAreaOf(axes, 300, 200);
  const ys = ysOf(axes, area, rows);
  const { of: good } = goodnessOf(columns[2]!, "min");
  const make = (): BrushedLines =>
    new BrushedLines(new LineField({ width: 300, height: 200, xs: area.xs }), ys, 3, good);
  const moving = make();
  for (const limit of [1, 0.2, 0.9, 0, 0.5]) {
    const inside = Uint8Array.from({ length: rows }, (_, row) => Number(columns[0]!.numbers[row]! <= limit));
    moving.update(inside);
    const fresh = make();
    fresh.update(inside);
    expect(moving.field.cover.every((covered, at) => covered === fresh.field.cover[at])).toBe(true);
    expect(moving.count).toBe(inside.reduce((sum, one) => sum + one, 0));
  }
});

test("the trial under the pointer is the nearest that may be found", () => {
  const columns = [
    [0, 1],
    [0, 1],
  ].map((values, index) => columnFrom({ id: `param:${index}`, type: "number", values }));
  const axes = columns.map((column) => axisOf(column, { scale: "linear" }));
  const area = plotAreaOf(axes, 400, 200);
  const ys = ysOf(axes, area, 2);
  const all = (): boolean => true;
  expect(nearestRow(area, ys, all, { x: 200, y: area.bottom - 3 })).toBe(0);
  expect(nearestRow(area, ys, all, { x: area.xs[1]!, y: area.top + 3 })).toBe(1);
  expect(nearestRow(area, ys, (row) => row !== 0, { x: 200, y: area.bottom })).toBeNull();
  expect(nearestRow(area, ys, all, { x: 200, y: 100 })).toBeNull();
  expect(nearestRow(area, ys, all, { x: 2, y: area.bottom })).toBeNull();
});

test("blanks cross the axis below it, and what is no number below that", () => {
  const axes = [
    axisOf(columnFrom({ id: "param:a", type: "number", values: [1, null, "NaN", 3] }), { scale: "linear" }),
  ];
  const area = plotAreaOf(axes, 200, 200);
  const ys = axes[0]!.at;
  expect(yOf(area, ys[1]!)).toBeGreaterThan(area.bottom);
  expect(yOf(area, ys[2]!)).toBeGreaterThan(yOf(area, ys[1]!));
  expect(yOf(area, ys[2]!)).toBeLessThanOrEqual(200);
});

test("goodness follows the goal; a run that went astray takes no colours", () => {
  const losses = Array.from({ length: 100 }, (_, row) => row / 100);
  const column = columnFrom({ id: "metric:loss:min", type: "number", values: [...losses, 1e9, "NaN", null] });
  const { of, best, worst } = goodnessOf(column, "min");
  expect(best).toBe(0);
  expect(worst).toBeLessThan(1);
  expect([of[0], of[100], of[101], of[102]]).toEqual([255, 0, 0, 0]);
  expect(goodnessOf(column, "max").of[100]).toBe(255);
  const order = worstFirst(goodnessOf(column, "min"));
  expect(order.at(-1)).toBe(0);
  expect([...order.slice(0, 3)]).toEqual([101, 102, 100]);
});

test("the ramp has its tokens at its ends, and few curves are stronger than many", () => {
  expect(ramp[0]).toBe(0xff0000);
  expect(ramp[255]).toBe(0xffffff);
  expect(alphaFor(5)).toBeGreaterThan(alphaFor(5000));
});

import { expect, test } from "vitest";
import { clippedBy, domainY, extentX, pointsWithin, rowsWithin, type YOptions } from "./domain";
import { LINEAR, type Scale } from "./scale";
import { all, setOf, sharedSetOf } from "./testing";

const WIDE: YOptions = { x: { from: -Infinity, to: Infinity }, scale: LINEAR, clipOutliers: false, curvesOnly: false };
const LOG: Scale = { kind: "log", constant: 1 };
const upTo = (count: number, value: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, index) => value(index));
const clipped = (count: number, scale = LINEAR): YOptions => ({
  x: { from: 0, to: count - 1 },
  scale,
  clipOutliers: true,
  curvesOnly: false,
});

test("x reaches over all shown series and no others", () => {
  const set = setOf([1, 2], [1, 2, 3, 4], []);
  expect(extentX(set, [0])).toEqual({ from: 0, to: 1 });
  expect(extentX(set, all(set))).toEqual({ from: 0, to: 3 });
  expect(extentX(set, [2])).toBeNull();
});

test("x that goes back and forth is searched whole", () => {
  const set = { ...setOf([1, 1, 1]), x: Float64Array.of(2, 9, 1), sorted: false };
  expect(extentX(set, [0])).toEqual({ from: 1, to: 9 });
});

test("only rows inside the x range count", () => {
  const set = setOf([100, 1, 2, 3, 100]);
  expect(rowsWithin(set, 0, { from: 1, to: 3 })).toEqual([1, 4]);
  const range = domainY(set, [0], { ...WIDE, x: { from: 1, to: 3 } })!;
  expect([range.from, range.to]).toEqual([0.9, 3.1]);
});

test("points in view are those behind the rows in view", () => {
  const set = setOf([1, 1, 1, 1], [1, 1]);
  const counts = [1, 2, 4, 8, 16, 32];
  expect(pointsWithin(set, 0, counts, { from: 1, to: 2 })).toBe(6);
  expect([0, 1].map((index) => pointsWithin(set, index, counts, { from: 0.5, to: 9 }))).toEqual([14, 32]);
  const mixed = { ...setOf([1, 1, 1]), x: Float64Array.of(2, 9, 1), sorted: false };
  expect(pointsWithin(mixed, 0, counts, { from: 1, to: 2 })).toBe(5);
});

test("nothing finite gives no range; infinities are left out", () => {
  expect(domainY(setOf([NaN, Infinity]), [0], WIDE)).toBeNull();
  expect(domainY(setOf([NaN, Infinity, 1, 2, -Infinity]), [0], WIDE)!.to).toBeCloseTo(2.05);
});

test("a spike stretches the axis only when outliers are kept", () => {
  const set = setOf(upTo(200, (index) => (index === 100 ? 1e6 : 1 + index / 200)));
  expect(domainY(set, [0], clipped(200))!.to).toBeLessThan(3);
  expect(domainY(set, [0], WIDE)!.to).toBeGreaterThan(1e6);
});

test("of many lines the bulk is between the 5th and the 95th of a hundred values", () => {
  // 200 lines at 0 to 199, in no order, and one far above.
  const lines = upTo(200, (index) => (index * 73) % 200).map((value) => [value, value]);
  const set = setOf(...lines, [1e6, 1e6]);
  const { from, to } = domainY(set, all(set), clipped(2))!;
  expect([from, to]).toEqual([0 - 199 * 0.05, 199 + 199 * 0.05]);
});

test("a smooth peak and a steep start are not cut, and a series that hardly moves keeps its one step", () => {
  const bell = setOf(upTo(300, (index) => Math.sin((index / 299) * Math.PI)));
  expect(domainY(bell, [0], clipped(300))!.to).toBeGreaterThan(1);
  const falling = setOf(upTo(300, (index) => 1 / (1 + index / 30)));
  expect(domainY(falling, [0], clipped(300))!.to).toBeGreaterThan(1);
  const still = setOf(upTo(200, (index) => (index === 0 ? 5 : 1)));
  expect(domainY(still, [0], clipped(200))!.to).toBeGreaterThan(5);
});

test("a run that explodes early does not press the others flat", () => {
  const set = setOf(
    ...upTo(7, () => 0).map(() => upTo(300, (index) => (index * 37) % 11)),
    upTo(30, (index) => 1e6 + index),
  );
  expect(domainY(set, all(set), clipped(300))!.to).toBeLessThan(20);
});

test("a run that explodes slowly does not press nine others flat, two of four do, and a poor result stays in view", () => {
  const calm = upTo(9, (run) => run).map((run) => upTo(192, (index) => 1 / (1 + run / 9 + index / 40)));
  const exploding = upTo(192, (index) => 1.1 ** index);
  const set = setOf(...calm, exploding);
  const { from, to } = domainY(set, all(set), clipped(192))!;
  expect(to).toBeLessThan(3);
  expect(clippedBy(set, all(set), { from, to }, clipped(192))).toMatchObject({ above: 1, below: 0 });
  const accuracy = upTo(9, (run) => run).map((run) => upTo(192, (index) => 0.98 + (run + index / 192) / 1000));
  const poor = setOf(
    ...accuracy,
    upTo(192, () => 0.5),
  );
  expect(domainY(poor, all(poor), clipped(192))!.from).toBeLessThan(0.5);
  const two = setOf(calm[0]!, calm[1]!, exploding, exploding);
  expect(domainY(two, all(two), clipped(192))!.to).toBeGreaterThan(1e6);
});

test("every raw point of a short series counts, also beside a long one and where curves are smoothed", () => {
  const smoothed = { ...setOf([1.97, 1.9, 1.8, 1.7]), raw: Float64Array.of(1.97, 1.52, 1.08, 0.8) };
  expect(domainY(smoothed, [0], clipped(4))!.from).toBeLessThan(0.8);
  const set = setOf(
    upTo(300, (index) => 0.01 * (index % 7)),
    [1, 0.5, 0.33],
  );
  for (const curvesOnly of [false, true])
    expect(domainY(set, all(set), { ...clipped(300), curvesOnly })!.to).toBeGreaterThan(0.5);
});

test("fewer than fifty points in view are a short series", () => {
  const spike = upTo(400, (index) => (index === 200 ? 1e6 : index % 7));
  const reach = (from: number, to: number) => domainY(setOf(spike), [0], { ...clipped(400), x: { from, to } })!.to;
  expect([reach(170, 230) < 10, reach(180, 220) > 1e5]).toEqual([true, true]);
});

test("noise that is drawn has room, one spike of it has not", () => {
  const level = upTo(400, () => 1);
  const noise = (index: number): number => 1 + Math.sin(index * 12.9898) / 2;
  const raw = Float64Array.from(upTo(400, (index) => (index === 77 ? 1e6 : noise(index))));
  const set = { ...setOf(level), raw };
  expect(domainY(set, [0], clipped(400))!.to).toBeCloseTo(1.55, 1);
  expect(domainY(set, [0], { ...clipped(400), curvesOnly: true })!.to).toBeLessThan(1.2);
});

test("lines beyond an edge are counted, each run once, and zeros on a log axis apart", () => {
  const set = setOf([1, 9], [1, 2], [-5, 9], [NaN, Infinity]);
  const y = { from: 0, to: 5 };
  expect(clippedBy(set, all(set), y, WIDE)).toEqual({ above: 2, below: 1, unplaceable: 0 });
  expect(clippedBy(set, all(set), y, { ...WIDE, scale: LOG })).toEqual({ above: 2, below: 0, unplaceable: 1 });
  expect(clippedBy(set, all(set), y, { ...WIDE, x: { from: 0, to: 0 } })).toMatchObject({ above: 0, below: 1 });
  const twice = { ...set, series: set.series.map((info) => ({ ...info, key: "same" })) };
  expect(clippedBy(twice, all(twice), y, WIDE).above).toBe(1);
});

test("a constant keeps its own size, and a log axis leaves out what it cannot show", () => {
  expect(domainY(setOf([0.001, 0.001]), [0], WIDE)!.from).toBeCloseTo(0.0009);
  const range = domainY(setOf([-1, 0, 0.1, 10]), [0], { ...WIDE, scale: LOG })!;
  expect([range.from > 0.05, range.to > 10]).toEqual([true, true]);
});

test("the envelope has room only where it is drawn", () => {
  const set = { ...setOf([1, 2]), low: Float64Array.of(-5, 2), high: Float64Array.of(1, 2) };
  expect(domainY(set, [0], WIDE)!.from).toBeLessThan(-5);
  expect(domainY(set, [0], { ...WIDE, curvesOnly: true })!.from).toBeCloseTo(0.95);
});

test("what rounding makes of a constant is a constant, and hides no other curve", () => {
  const noisy = upTo(100, (index) => (index % 2 ? 2 : 2.0000000000000004));
  const constant = setOf(noisy);
  const range = domainY(constant, [0], clipped(100))!;
  expect(range.to - range.from).toBeCloseTo(0.4);
  const rerun = setOf(
    noisy,
    upTo(5, () => 1),
  );
  expect(domainY(rerun, all(rerun), clipped(100))!.from).toBeLessThan(1);
});

test("it is the same whether x is a column of its own or shared", () => {
  const lines = [upTo(50, (index) => index), [3, 900, 4], upTo(20, (index) => -index)];
  const [own, shared] = [setOf(...lines), sharedSetOf(...lines)];
  const x = { from: 1.5, to: 30 };
  expect(extentX(shared, all(shared))).toEqual(extentX(own, all(own)));
  expect(all(shared).map((index) => rowsWithin(shared, index, x))).toEqual(
    all(own).map((index) => rowsWithin(own, index, x)),
  );
  for (const clipOutliers of [false, true])
    expect(domainY(shared, all(shared), { ...WIDE, x, clipOutliers })).toEqual(
      domainY(own, all(own), { ...WIDE, x, clipOutliers }),
    );
});

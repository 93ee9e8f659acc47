import { expect, test } from "vitest";
import { categoryStyle, emphasisOf, paletteOf, radiiOf, rangeOf, styledLike, styleOf, stylesOf } from "./colours";

const COLOURS = {
  rgb: (token: string) => Number(token.replace(/\D/g, "")) || 0x999999,
  ramp: (count: number) => Uint32Array.from({ length: count }, (_, shade) => shade),
};
const numbers = (...values: number[]) => ({ type: "number", values: Float32Array.from(values), names: [] }) as const;
const codes = (...values: number[]) => ({ type: "category", values: Int32Array.from(values), names: [] }) as const;

test("twelve categories are dots, twelve more rings of the same colours, the rest is grey", () => {
  expect(categoryStyle(0)).toEqual({ token: "--run-1", shape: "dot" });
  expect(categoryStyle(11)).toEqual({ token: "--run-12", shape: "dot" });
  expect(categoryStyle(12)).toEqual({ token: "--run-1", shape: "ring" });
  expect(categoryStyle(23)).toEqual({ token: "--run-12", shape: "ring" });
  expect(categoryStyle(24)).toEqual({ token: "--text-3", shape: "dot" });
  expect(categoryStyle(-1)).toEqual(categoryStyle(24));
});

test("rows have the colour of their category; other and missing ones are grey", () => {
  const { colours, rings } = paletteOf({ type: "category" }, COLOURS);
  const styles = stylesOf(codes(0, 13, 24, 900, -1), 6);
  expect(Array.from(styles, (style) => colours[style])).toEqual([1, 2, 3, 3, 3, 3]);
  expect(Array.from(styles, (style) => rings[style])).toEqual([0, 1, 0, 0, 0, 0]);
});

test("a category has the style that the server gives it", () => {
  const column = { ...codes(0, 1, -1), styles: [5, 0] };
  expect([...stylesOf(column, 3)]).toEqual([5, 0, 255]);
  expect([styleOf(column, 0), styleOf(column, -1)]).toEqual([categoryStyle(5), categoryStyle(-1)]);
});

test("numbers go along the ramp; what is not finite is grey", () => {
  const { colours } = paletteOf({ type: "number" }, COLOURS);
  const styles = stylesOf(numbers(10, 20, NaN, Infinity), 4);
  expect(Array.from(styles, (style) => colours[style])).toEqual([0, 254, 3, 3]);
  expect([...stylesOf(numbers(5, 5), 2)]).toEqual([0, 0]);
});

test("without a column all rows have the accent", () => {
  const { colours } = paletteOf(null, { ...COLOURS, rgb: (token) => (token === "--accent" ? 7 : 0) });
  expect(colours[stylesOf(null, 1)[0]!]).toBe(7);
});

test("radii follow the square root, from 2 to 7 pixels", () => {
  expect([...radiiOf(numbers(0, 25, 100, NaN), 5, 1.5)]).toEqual([8, 18, 28, 8, 6]);
  expect([...radiiOf(codes(1), 1, 1.5)]).toEqual([6]);
});

test("while some rows are selected the others are dimmed; hidden ones stay hidden", () => {
  expect([...emphasisOf(3, null, [])]).toEqual([2, 2, 2]);
  expect([...emphasisOf(4, Uint8Array.of(1, 1, 0, 0), [0, 2, 99])]).toEqual([3, 1, 0, 0]);
});

test("a column without numbers has no range", () => {
  expect(rangeOf([NaN, Infinity])).toBeNull();
  expect(rangeOf([3, NaN, -1])).toEqual({ low: -1, high: 3 });
});

test("a value has one colour in two pictures beside each other", () => {
  const column = (names: string[], styles: number[]) => ({ type: "category", values: new Int32Array(), names, styles }) as const; // prettier-ignore
  const first = column(["cat", "dog"], [0, 1]);
  expect(styledLike(column(["dog", "cat", "bird", "ant"], [3, 2, 1, 0]), first)?.styles).toEqual([1, 0, 3, 2]);
  const numbers = column(["7", "3"], [7, 3]);
  expect(styledLike(column(["3", "9"], [3, 9]), numbers)?.styles).toEqual([3, 9]);
  const unrelated = column(["train", "test"], [1, 0]);
  expect(styledLike(unrelated, first)).toBe(unrelated);
  expect(styledLike(null, first)).toBeNull();
});

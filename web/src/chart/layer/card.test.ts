import { expect, test } from "vitest";
import { LINEAR } from "../scale";
import { SHOWN, type Style, type View } from "../paint/scene";
import { all, setOf } from "../testing";
import { CardState } from "./card";

const VIEW: View = { x0: 0, x1: 10, y0: 0, y1: 10, xScale: LINEAR, yScale: LINEAR, w: 100, h: 100, dpr: 1, pad: 5 };

function styleFor(count: number, extra: Partial<Style> = {}): Style {
  return {
    mode: "auto",
    colours: new Uint32Array(count),
    flags: new Uint8Array(count).fill(SHOWN),
    highlight: [],
    alpha: 0,
    underlay: [],
    markers: true,
    fillAlpha: 0.24,
    look: { lineWidth: 1.4, thinWidth: 1, focusWidth: 2, rawAlpha: 0.22, dimAlpha: 0.22, surface: 0, ramp: [] },
    ...extra,
  };
}

function ready(lines: readonly (readonly number[])[]): CardState {
  const card = new CardState();
  card.setData({ ...setOf(...lines), low: new Float64Array(lines.flat().length) });
  card.setStyle(styleFor(lines.length));
  card.setView(VIEW);
  return card;
}

test("everything is sent once, and a change of view sends the view alone", () => {
  const card = ready([
    [1, 2],
    [3, 4],
  ]);
  const { change, transfer } = card.takeChange({ copies: true });
  expect(Object.keys(change)).toEqual(["columns", "style", "view"]);
  expect(transfer.length).toBe(5);
  expect([...change.columns!.x!]).toEqual([0, 1, 0, 1]);
  expect(change.columns!.sharedX).toBe(false);
  expect(card.setView({ ...VIEW, x1: 5 })).toBe(true);
  expect(Object.keys(card.takeChange({ copies: true }).change)).toEqual(["view"]);
});

test("a new smoothing sends the new curve and nothing else", () => {
  const card = new CardState();
  const set = setOf([1, 2], [3, 4]);
  card.setData(set);
  card.setStyle(styleFor(2));
  card.takeChange({ copies: true });
  card.setData({ ...set, curve: Float64Array.of(5, 6, 7, 8) });
  const { columns } = card.takeChange({ copies: true }).change;
  expect(Object.keys(columns!).sort()).toEqual(["curve", "raw", "sharedX", "sorted"]);
  card.setData({ ...set, curve: Float64Array.of(6, 7, 8, 9) });
  expect(Object.keys(card.takeChange({ copies: true }).change.columns!).sort()).toEqual(["curve", "sharedX", "sorted"]);
});

test("what is sent is a copy: the page can still read its own", () => {
  const set = setOf([1, 2]);
  const card = new CardState();
  card.setData(set);
  const sent = card.takeChange({ copies: true }).change.columns!.curve!;
  expect(sent).not.toBe(set.curve);
  expect(sent.buffer.byteLength).toBe(16);
  const inPage = new CardState();
  inPage.setData(set);
  const { change, transfer } = inPage.takeChange({ copies: false });
  expect(change.columns!.curve).toBe(set.curve);
  expect(transfer).toEqual([]);
});

test("columns keep their types, and an x that all series share is sent once", () => {
  const card = new CardState();
  card.setData({ ...setOf([1, 2], [3, 4]), x: Int32Array.of(0, 1), sharedX: true, curve: Float32Array.of(1, 2, 3, 4) });
  const { columns } = card.takeChange({ copies: true }).change;
  expect(columns!.x).toEqual(Int32Array.of(0, 1));
  expect(columns!.curve).toBeInstanceOf(Float32Array);
  expect(columns!.sharedX).toBe(true);
});

test("an equal style or view is no change", () => {
  const card = ready([[1]]);
  expect([
    card.setStyle(styleFor(1)),
    card.setView({ ...VIEW }),
    card.setStyle(styleFor(1, { highlight: [0] })),
  ]).toEqual([false, false, true]);
});

test("envelopes of many lines stay at home until one is highlighted", () => {
  const card = ready(Array.from({ length: 40 }, () => [1, 2]));
  expect(card.takeChange({ copies: true }).change.columns!.low).toBeNull();
  card.setStyle(styleFor(40, { highlight: [3] }));
  expect(card.takeChange({ copies: true }).change.columns!.low).toHaveLength(80);
});

test("the nearest series is found in pixels of the plot, hidden ones left out", () => {
  const set = setOf([0, 0, 0], [8, 8, 8]);
  const card = new CardState();
  card.setData(set);
  card.setStyle(styleFor(2));
  card.setView(VIEW);
  expect(card.nearest(10, 25)).toMatchObject({ series: 1, index: 4 });
  const flags = Uint8Array.from(all(set), (index) => (index === 0 ? SHOWN : 0));
  card.setStyle(styleFor(2, { flags }));
  expect(card.nearest(10, 25)!.series).toBe(0);
});

test("a few lines are a small picture, also while data and style do not fit together; many are not", () => {
  const line = Array.from({ length: 1000 }, (_, row) => row);
  const card = ready([line, line]);
  expect(card.isSmall).toBe(true);
  card.setData(setOf(line, line, line));
  expect(card.isSmall).toBe(true);
  card.setStyle(styleFor(3));
  expect(card.isSmall).toBe(false);
  card.setData(setOf(line));
  expect(card.isSmall).toBe(true);
});

import { expect, test } from "vitest";
import { fieldsOf, viewOf, type CardView } from "./card_views";

const PLAIN: CardView = { xScale: null, yScale: null, x: null, y: null, also: [], over: null };

test("what was set on a chart goes through the fields and back", () => {
  for (const view of [
    { ...PLAIN, yScale: "log", y: { from: 0.1, to: null }, also: ["eval/loss"] },
    { ...PLAIN, xScale: "symlog", x: { from: 1, to: 2 }, over: "epoch" },
    PLAIN,
  ] as const)
    expect(viewOf(fieldsOf(view))).toEqual(view);
  expect(JSON.stringify(fieldsOf(PLAIN))).toBe("{}");
  expect(Object.keys(fieldsOf({ y: null }))).toEqual(["y"]);
});

test("an address that was tampered with breaks nothing", () => {
  expect(viewOf({ ys: "cubic", y: [3, 1], x: ["1", 2], also: [1, "b"], over: 4 })).toEqual({
    ...PLAIN,
    x: { from: null, to: 2 },
    also: ["b"],
  });
});

test("the same fields have the same view", () => {
  const fields = { ys: "log" };
  expect(viewOf(fields)).toBe(viewOf(fields));
});

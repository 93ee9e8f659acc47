import { expect, test } from "vitest";
import type { Projection } from "../../wire";
import { changeColumn, changeEnd, isComplete, shownAxes } from "./axes";
import { chooseComponent, shownComponents, varianceText } from "./components";
import { epochText, isIterative, notesText, qualityText, timeText } from "./running";

test("every axis has a component, the first ones where none was chosen", () => {
  expect(shownComponents([], 2)).toEqual([0, 1]);
  expect(shownComponents([2], 3)).toEqual([2, 0, 1]);
  expect(shownComponents([4, 4, 1], 2)).toEqual([4, 1]);
});

test("a component that is along another axis already changes places", () => {
  expect(chooseComponent([0, 1], 0, 3)).toEqual([3, 1]);
  expect(chooseComponent([0, 1], 0, 1)).toEqual([1, 0]);
  expect(chooseComponent([1, 0], 0, 0)).toEqual([]);
});

test("the variance of the shown and of all components is said", () => {
  expect(varianceText([0.4, 0.2, 0.1], [0, 1])).toBe(
    "x and y explain 60.0% of the variance, the first 3 components 70.0%.",
  );
  expect(varianceText([0.4, 0.2, 0.1], [0, 1, 2])).toBe("x, y and z explain 70.0% of the variance.");
});

test("the ends of an axis are changed one by one, the column in all", () => {
  const axes = shownAxes([], 2);
  const named = changeEnd(axes, { axis: 1, end: "end", change: { text: "oak", is_regex: true } });
  expect(named[1]!.end).toEqual({ text: "oak", column: "", is_regex: true });
  expect(named[0]).toEqual(axes[0]);
  expect(isComplete(axes)).toBe(false);
  expect(isComplete(named)).toBe(false);
  // The other axis has what is left.
  expect(isComplete(changeEnd(named, { axis: 1, end: "start", change: { text: "elm" } }))).toBe(true);
  expect(
    changeColumn(named, "class").every(({ start, end }) => start.column === "class" && end.column === "class"),
  ).toBe(true);
});

const running = { state: "running", epoch: 320, epochs: 500, secs_left: 2.6 } as Projection;

test("a running method says how far it is", () => {
  expect([epochText(running), timeText(running), isIterative(running)]).toEqual(["Epoch 320 of 500", "3 s left", true]);
  expect(timeText({ ...running, state: "paused" })).toBe("paused");
  expect(epochText({ ...running, epoch: 0 })).toBe("Finding neighbours");
  expect(epochText({ ...running, state: "done", epoch: 500 })).toBe("500 epochs");
  expect(timeText({ ...running, state: "done" })).toBe("");
});

test("quality and notes are sentences", () => {
  const quality = {
    trustworthiness: 0.9641,
    continuity: 0.971,
    count: 10,
    sampled: 5,
    kept: new Float32Array(),
    trust: new Float32Array(),
  };
  expect(qualityText(quality)).toBe("Trustworthiness 0.964, continuity 0.971 at k\u00a0=\u00a010.");
  expect(notesText(["UMAP of 50,000 of 1,000,000 rows, random, seed 42", "Not aligned."])).toBe(
    "UMAP of 50,000 of 1,000,000 rows, random, seed 42. Not aligned.",
  );
});

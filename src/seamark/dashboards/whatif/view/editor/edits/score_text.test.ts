import { expect, test } from "vitest";
import { changeText, comparableScore, scoreText, sideText, topClasses } from "./score_text";

const prediction = (score: number | null, scores: readonly number[] = [], predicted = "") => ({
  score,
  scores,
  predicted,
});

test("probabilities have two digits, other scores four significant ones", () => {
  expect(scoreText(0.357, "binary")).toBe("0.36");
  expect(scoreText(12.34567, "binary")).toBe("12.35");
  expect(scoreText(1234567, "regression")).toBe("1,235,000");
  expect(scoreText(null, "binary")).toBe("–");
});

test("a change has a sign, and none if it cannot be seen", () => {
  expect(changeText(0.15, 0.36, "binary")).toBe("+0.21");
  expect(changeText(0.36, 0.15, "binary")).toBe("−0.21");
  expect(changeText(0.36, 0.3601, "binary")).toBe("±0.00");
  expect(changeText(0.8249, 0.8351, "binary")).toBe("+0.02");
  expect(changeText(-1500, 2500, "regression")).toBe("+4,000");
  expect(changeText(null, 0.3, "binary")).toBe("");
});

test("the note says which side of the threshold it is, and whether that is new", () => {
  const options = { task: "binary", classes: ["≤ 50k", "> 50k"], threshold: 0.22 } as const;
  expect(sideText(prediction(0.15), prediction(0.36), options)).toBe("P(> 50k), now over 0.22");
  expect(sideText(prediction(0.3), prediction(0.36), options)).toBe("P(> 50k), over 0.22");
  expect(sideText(prediction(0.3), prediction(0.22), options)).toBe("P(> 50k), over 0.22");
  expect(sideText(prediction(0.3), prediction(0.1), options)).toBe("P(> 50k), now under 0.22");
});

test("a multi-class model has its largest scores, and the change is that of the class predicted before", () => {
  const before = prediction(0.6, [0.6, 0.3, 0.1], "a");
  const after = prediction(0.7, [0.2, 0.1, 0.7], "c");
  const classes = ["a", "b", "c"];
  expect(topClasses(before, after, classes, 2)).toEqual([
    { name: "c", score: 0.7, before: 0.1 },
    { name: "a", score: 0.2, before: 0.6 },
  ]);
  expect(comparableScore(after, before, classes)).toBe(0.2);
  expect(comparableScore(prediction(0.5), null, classes)).toBe(0.5);
});

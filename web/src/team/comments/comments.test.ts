import { expect, test } from "vitest";
import { annotationsOf, targetInWords, threadsAt, type Comment } from "./comments";

const made = (id: string, more: Partial<Comment> = {}): Comment => ({
  id,
  run: "a",
  tag: null,
  first_step: null,
  last_step: null,
  answers: null,
  text: "Look here",
  html: "<p>Look here</p>",
  author_id: "u",
  author: "Ada",
  created_at: 1,
  edited_at: null,
  is_deleted: false,
  may_edit: true,
  may_delete: true,
  ...more,
});
const WHOLE = made("whole", { created_at: 3 });
const POINT = made("point", { tag: "loss", first_step: 10, created_at: 2 });
const RANGE = made("range", { run: "b", tag: "loss", first_step: 10, last_step: 20, text: "x".repeat(100) });
const ALL = [WHOLE, POINT, RANGE];

test("a run has its comments, oldest first", () =>
  expect(threadsAt(ALL, { run: "a" }).map(({ comment }) => comment.id)).toEqual(["point", "whole"]));

test("answers are below what they answer, also through other answers", () => {
  const first = made("first", { answers: "whole", created_at: 4 });
  const second = made("second", { answers: "first", created_at: 5 });
  const threads = threadsAt([...ALL, first, second], { run: "a" });
  expect(threads.map(({ comment, answers }) => [comment.id, answers.map(({ id }) => id)])).toEqual([
    ["point", []],
    ["whole", ["first", "second"]],
  ]);
});

test("a deleted comment stays while somebody answered it", () => {
  const gone = { ...WHOLE, is_deleted: true };
  expect(threadsAt([gone], { run: "a" })).toEqual([]);
  expect(threadsAt([gone, made("answer", { answers: "whole" })], { run: "a" })).toHaveLength(1);
});

test("a point has those of its metric", () =>
  expect(threadsAt(ALL, { run: "a", tag: "loss", step: 11 }).map(({ comment }) => comment.id)).toEqual(["point"]));

test("charts mark points and ranges, with a short text", () => {
  const [point, range] = annotationsOf(ALL, "loss");
  expect(point).toEqual({ id: "point", run: "a", from: 10, to: 10, label: "Ada: Look here" });
  expect(range).toMatchObject({ from: 10, to: 20 });
  expect(range!.label).toHaveLength("Ada: ".length + 80);
  expect(annotationsOf(ALL, "accuracy")).toEqual([]);
});

test.each([
  [WHOLE, ""],
  [POINT, "loss, step 10"],
  [RANGE, "loss, steps 10 to 20"],
  [made("tag", { tag: "loss" }), "loss"],
])("what a comment is about", (comment, words) => expect(targetInWords(comment)).toBe(words));

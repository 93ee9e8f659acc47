import { expect, test } from "vitest";
import { hasCaptions, withoutCaptions } from "./captions";

const texts = [
  { tag: "x/caption", runs: ["a", "b"] },
  { tag: "y/caption", runs: ["a"] },
  { tag: "notes", runs: ["a"] },
];

test("a caption is no text of its own in runs that have the picture", () => {
  expect(withoutCaptions(texts, [{ tag: "x", runs: ["a"] }])).toEqual([
    { tag: "x/caption", runs: ["b"] },
    ...texts.slice(1),
  ]);
  expect(withoutCaptions(texts, [{ tag: "y", runs: ["a"] }])).toEqual([texts[0], texts[2]]);
});

test("a picture has a caption where the same run logs one", () => {
  expect([hasCaptions(texts, "x", "b"), hasCaptions(texts, "y", "b"), hasCaptions(texts, "notes", "a")]).toEqual([
    true,
    false,
    false,
  ]);
});

import { expect, test } from "vitest";
import { fileName } from "./image_archive";
import { imageNote, inStepOrder } from "./image_series.svelte";

const sample = { mime: "image/png", width: 1440, height: 900, bytes: 62_400, fault: "", is_shown: true };

test("attempts that went back are put in the order of their steps, the newer after the older", () => {
  expect(inStepOrder([0, 10, 20])).toEqual([0, 1, 2]);
  expect(inStepOrder([0, 10, 20, 10, 20, 30])).toEqual([0, 1, 3, 2, 4, 5]);
});

test("a note tells size, kind and bytes", () => {
  expect(imageNote(sample)).toBe("1,440 × 900 · PNG · 62.4 kB");
  expect(imageNote({ ...sample, mime: "application/octet-stream", width: null, height: null })).toBe(
    "unknown · 62.4 kB",
  );
});

test("a file name is safe on every system", () => {
  expect(fileName({ run: "a/b", tag: "x:<y>", step: 12, sample: 1 }, "image/jpeg")).toBe("a_b x_y_ step 12 1.jpg");
});

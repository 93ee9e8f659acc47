import { expect, test } from "vitest";
import {
  asText,
  fileName,
  filterOf,
  inStepOrder,
  noteOf,
  parseNames,
  parsePicked,
  parseSteps,
  serialiseSteps,
  sideFor,
  tileColumns,
} from "./model";

const sample = { mime: "image/png", width: 1440, height: 900, bytes: 62_400, fault: "", is_shown: true };

test("a picture survives the address, and what is no picture is none", () => {
  const picked = { run: "a/b", tag: "<x> & 🌊", step: -3, sample: 2 };
  expect(parsePicked(asText(picked))).toEqual(picked);
  expect(parsePicked('["a","t",null,-4]')).toEqual({ run: "a", tag: "t", step: null, sample: 0 });
  for (const text of [undefined, "", "{", "[]", "[1,2]", '{"run":"a"}', "null"]) expect(parsePicked(text)).toBeNull();
});

test("steps of cards survive the address", () => {
  const steps = new Map([
    ["a\nt", 4],
    ["b\nt", 0],
  ]);
  expect(parseSteps(serialiseSteps(steps))).toEqual(steps);
  expect(serialiseSteps(new Map())).toBeUndefined();
  expect(parseSteps('[["a",1],["b","x"],3,["c",1.5]]')).toEqual(new Map([["a", 1]]));
  expect(parseNames('["a",3,"b"]')).toEqual(["a", "b"]);
});

test("attempts that went back are put in the order of their steps, the newer after the older", () => {
  expect(inStepOrder([0, 10, 20])).toEqual([0, 1, 2]);
  expect(inStepOrder([0, 10, 20, 10, 20, 30])).toEqual([0, 1, 3, 2, 4, 5]);
});

test("tiles are as large as the box allows", () => {
  expect(tileColumns(1, 300, 200, 1)).toBe(1);
  expect(tileColumns(8, 400, 200, 1)).toBe(4);
  expect(tileColumns(3, 100, 600, 1)).toBe(1);
  expect(tileColumns(2, 300, 300, 3)).toBe(1);
});

test("thumbnails come in few sizes, and beyond the largest the image itself", () => {
  expect([sideFor(40, 1), sideFor(100, 2), sideFor(1024, 1), sideFor(600, 2)]).toEqual([64, 256, 1024, undefined]);
});

test("a note tells size, kind and bytes", () => {
  expect(noteOf(sample)).toBe("1,440 × 900 · PNG · 62.4 kB");
  expect(noteOf({ ...sample, mime: "application/octet-stream", width: null, height: null })).toBe("unknown · 62.4 kB");
});

test("light that changes nothing is no filter", () => {
  expect(filterOf({ brightness: 1, contrast: 1 })).toBe("none");
  expect(filterOf({ brightness: 1.5, contrast: 0.5 })).toBe("brightness(1.5) contrast(0.5)");
});

test("a file name is safe on every system", () => {
  expect(fileName({ run: "a/b", tag: "x:<y>", step: 12, sample: 1 }, "image/jpeg")).toBe("a_b x_y_ step 12 1.jpg");
});

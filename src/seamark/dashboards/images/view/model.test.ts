import { expect, test } from "vitest";
import { asText, filterOf, parsePicked, sideFor, tileColumns } from "./model";

test("a picture survives the address, and what is no picture is none", () => {
  const picked = { run: "a/b", tag: "<x> & 🌊", step: -3, sample: 2 };
  expect(parsePicked(asText(picked))).toEqual(picked);
  expect(parsePicked('["a","t",null,-4]')).toEqual({ run: "a", tag: "t", step: null, sample: 0 });
  for (const text of [undefined, "", "{", "[]", "[1,2]", '{"run":"a"}', "null"]) expect(parsePicked(text)).toBeNull();
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

test("light that changes nothing is no filter", () => {
  expect(filterOf({ brightness: 1, contrast: 1 })).toBe("none");
  expect(filterOf({ brightness: 1.5, contrast: 0.5 })).toBe("brightness(1.5) contrast(0.5)");
});

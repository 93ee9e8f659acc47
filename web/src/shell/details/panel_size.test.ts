import { expect, it } from "vitest";
import { MAX_WIDTH_PX, MIN_WIDTH_PX, parseStored } from "./panel_size.svelte";

it("reads what was stored, within the limits, and ignores anything else", () => {
  expect(parseStored('{"widthPx":400,"isCollapsed":true}')).toEqual({ widthPx: 400, isCollapsed: true });
  expect(parseStored('{"widthPx":1}').widthPx).toBe(MIN_WIDTH_PX);
  expect(parseStored('{"widthPx":99999}').widthPx).toBe(MAX_WIDTH_PX);
  for (const text of [null, "", "{", "[]", '{"widthPx":"wide","isCollapsed":1}'])
    expect(parseStored(text)).toEqual({ widthPx: 340, isCollapsed: false });
});

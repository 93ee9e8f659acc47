import { expect, test } from "vitest";
import { closeTopmost, hasLayers, pushLayer, pushView, suspendLayers } from "./layers";

test("the topmost closes first, and what closed by itself is not closed again", () => {
  const closed: string[] = [];
  pushLayer(() => closed.push("card"));
  const gone = pushLayer(() => closed.push("sheet"));
  pushLayer(() => closed.push("menu"));
  closeTopmost();
  gone();
  closeTopmost();
  expect(closed).toEqual(["menu", "card"]);
  expect(closeTopmost()).toBe(false);
});

test("the layers of a hidden view wait until it is shown again", () => {
  const closed: string[] = [];
  const gone = pushLayer(() => closed.push("drawer"));
  pushLayer(() => closed.push("card"));
  const restore = suspendLayers();
  expect(hasLayers()).toBe(false);
  pushLayer(() => closed.push("menu"));
  expect([closeTopmost(), closeTopmost()]).toEqual([true, false]);
  gone();
  restore();
  expect([closeTopmost(), closeTopmost()]).toEqual([true, false]);
  expect(closed).toEqual(["menu", "card"]);
});

test("a view closes after the layers above it, whenever it was opened, and does not block shortcuts", () => {
  const closed: string[] = [];
  pushLayer(() => closed.push("menu"));
  pushView(() => closed.push("card"));
  closeTopmost();
  expect(hasLayers()).toBe(false);
  closeTopmost();
  expect(closed).toEqual(["menu", "card"]);
  pushView(() => closed.push("gone"))();
  expect(closeTopmost()).toBe(false);
});

import { expect, test } from "vitest";
import { closeTopmost, pushLayer } from "./layers";

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

import { expect, test } from "vitest";
import { isSameKey, nameOfKey } from "./keys";

const press = (key: string, ...held: string[]) =>
  nameOfKey({
    key,
    ctrlKey: held.includes("ctrl"),
    metaKey: held.includes("meta"),
    altKey: held.includes("alt"),
    shiftKey: held.includes("shift"),
  });

test("keys are named as they are written", () => {
  expect(press("k", "ctrl")).toBe("Ctrl+k");
  expect(press("K", "meta")).toBe("Ctrl+k");
  expect(press("F", "shift")).toBe("Shift+f");
  expect(press("?", "shift")).toBe("?");
  expect(press(" ")).toBe("Space");
  expect(press("ArrowDown", "shift")).toBe("Shift+ArrowDown");
  expect(isSameKey("Ctrl+K", press("k", "ctrl"))).toBe(true);
});

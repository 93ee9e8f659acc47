import { beforeEach, expect, test, vi } from "vitest";
import { Gestures, type GestureHost } from "./gestures";

const MOUSE = { button: 0, isTouch: false, shiftKey: false, altKey: false };
const TOUCH = { ...MOUSE, isTouch: true };
const at = (x: number, y = 0) => ({ x, y });

function hostOf(options: Partial<GestureHost>) {
  const calls: string[] = [];
  const note = (name: string) => (...values: unknown[]) => void calls.push(`${name} ${values.map((value) => JSON.stringify(value)).join(" ")}`); // prettier-ignore
  const names = ["panBy", "turnBy", "zoomBy", "startArea", "extendArea", "endArea", "cancelArea", "pointAt", "click", "doubleClick"]; // prettier-ignore
  const host = { tool: "pan", canTurn: false, isDrawing: true, key: () => false, ...options };
  return { calls, gestures: new Gestures(Object.assign(host, Object.fromEntries(names.map((name) => [name, note(name)]))) as unknown as GestureHost) }; // prettier-ignore
}

beforeEach(() => void vi.useFakeTimers());

test("a drag pans in two dimensions and turns in three, where Shift and the right button pan", () => {
  const drag = (options: Partial<GestureHost>, press: object) => {
    const { calls, gestures } = hostOf(options);
    gestures.press(1, at(0), { ...MOUSE, ...press });
    gestures.move(1, at(10));
    gestures.release(1, at(10));
    return calls;
  };
  expect(drag({}, {})).toEqual(["panBy 10 0"]);
  expect(drag({ canTurn: true }, {})).toEqual(["turnBy 10 0"]);
  expect(drag({ canTurn: true }, { shiftKey: true })).toEqual(["panBy 10 0"]);
  expect(drag({ canTurn: true }, { button: 2 })).toEqual(["panBy 10 0"]);
});

test("a press that hardly moves is a click, also with a tool", () => {
  const { calls, gestures } = hostOf({ tool: "lasso" });
  gestures.press(1, at(0), MOUSE);
  gestures.move(1, at(2));
  gestures.release(1, at(2));
  expect(calls.map((call) => call.split(" ")[0])).toEqual(["startArea", "cancelArea", "click"]);
});

test("the lasso replaces, with Shift adds, with Alt removes", () => {
  for (const [keys, mode] of [
    [{}, "replace"],
    [{ shiftKey: true }, "add"],
    [{ altKey: true }, "remove"],
  ] as const) {
    // prettier-ignore
    const { calls, gestures } = hostOf({ tool: "lasso", canTurn: true });
    gestures.press(1, at(0), { ...MOUSE, ...keys });
    gestures.move(1, at(9));
    gestures.release(1, at(9));
    expect(calls[0]).toBe(`startArea "lasso" {"x":0,"y":0} "${mode}"`);
    expect(calls.slice(1)).toEqual(['extendArea {"x":9,"y":0}', "endArea "]);
  }
});

test("two fingers zoom, and end what one of them drew", () => {
  const { calls, gestures } = hostOf({ tool: "lasso" });
  gestures.press(1, at(0), TOUCH);
  gestures.press(2, at(100), TOUCH);
  gestures.move(2, at(200));
  expect(calls).toEqual(['startArea "lasso" {"x":0,"y":0} "replace"', "cancelArea ", "panBy 50 0", 'zoomBy 2 {"x":100,"y":0}']); // prettier-ignore
});

test("a finger that stays starts the lasso; one that moves pans", () => {
  const { calls, gestures } = hostOf({});
  gestures.press(1, at(0), TOUCH);
  vi.advanceTimersByTime(600);
  gestures.move(1, at(9));
  gestures.release(1, at(9));
  expect(calls.map((call) => call.split(" ")[0])).toEqual(["startArea", "extendArea", "endArea"]);
  const other = hostOf({});
  other.gestures.press(1, at(0), TOUCH);
  other.gestures.move(1, at(9));
  vi.advanceTimersByTime(600);
  expect(other.calls).toEqual(["panBy 9 0"]);
});

test("without a press the pointer points", () => {
  const { calls, gestures } = hostOf({});
  gestures.move(1, at(5));
  expect(calls).toEqual(['pointAt {"x":5,"y":0}']);
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import type { GraphModel } from "./graph_model.svelte";
import { pressKey } from "./keys";

const model = {
  selected: "a" as string | null,
  isolated: [] as readonly string[],
  tracing: null as GraphModel["tracing"],
  isPickingEnd: false,
  layersPanel: { toggle: vi.fn() },
  traceFrom: vi.fn(),
  clearTrace: vi.fn(),
  pickEnd: vi.fn(),
  isolate: vi.fn(),
  openBelow: vi.fn(),
  select: vi.fn(),
};
const search = vi.fn();

function press(key: string, options: Partial<KeyboardEvent> = {}): boolean {
  const event = { key, ...options } as KeyboardEvent;
  return pressKey(event, model as unknown as GraphModel, { search });
}

beforeEach(() => {
  vi.clearAllMocks();
  Object.assign(model, { selected: "a", isolated: [], tracing: null, isPickingEnd: false });
});

describe("keys of the graph", () => {
  test("trace, with Caps Lock too", () => {
    expect([press("i"), press("O")]).toEqual([true, true]);
    expect(model.traceFrom.mock.calls).toEqual([["inputs"], ["outputs"]]);
  });

  test("change the hops of a trace, and never to none", () => {
    model.tracing = { direction: "outputs", hops: 1, to: "" };
    press("]");
    press("[");
    expect(model.traceFrom.mock.calls).toEqual([["outputs", 2], ["outputs", 1]]); // prettier-ignore
  });

  test("choose the end of a path, and Escape takes the topmost choice back", () => {
    press("p");
    expect(model.pickEnd).toHaveBeenLastCalledWith(true);
    model.isPickingEnd = true;
    model.tracing = { direction: "inputs", hops: 6, to: "" };
    press("Escape");
    expect(model.pickEnd).toHaveBeenLastCalledWith(false);
    model.isPickingEnd = false;
    press("Escape");
    expect(model.clearTrace).toHaveBeenCalledOnce();
    model.tracing = null;
    press("Escape");
    expect(model.select).toHaveBeenCalledWith(null);
  });

  test("search, and show or hide the layers without a selection", () => {
    model.selected = null;
    expect([press("/"), press("y"), press("i"), press("Escape")]).toEqual([true, true, false, false]);
    expect(search).toHaveBeenCalledOnce();
    expect(model.layersPanel.toggle).toHaveBeenCalledOnce();
  });

  test("show everything again, though the isolated box is not selected any more", () => {
    press("g");
    expect(model.isolate).toHaveBeenLastCalledWith("a");
    Object.assign(model, { selected: null, isolated: ["a"] });
    press("g");
    expect(model.isolate).toHaveBeenLastCalledWith(null);
  });

  test("open all below; keys of the browser are left alone", () => {
    expect([press("Enter", { shiftKey: true }), press("p", { ctrlKey: true })]).toEqual([true, false]);
    expect(model.openBelow).toHaveBeenCalledWith("a");
  });
});

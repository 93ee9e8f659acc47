import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SHOWN, type Style } from "../paint/scene";
import { LINEAR } from "../scale";
import { setOf } from "../testing";
import { createLayer, type Layer } from "./layer";

/** Workers that were started: each by what it calls when it fails. */
const workers = vi.hoisted((): { fail(): void; attached: number }[] => []);
vi.mock("./executor", () => ({
  canUseWorkers: () => true,
  workerExecutor: (_: unknown, onLost: () => void) => {
    const worker = { fail: onLost, attached: 0 };
    workers.push(worker);
    const attach = (): void => void (worker.attached += 1);
    return { attach, paint: () => undefined, dispose: () => undefined, close: () => undefined };
  },
}));

const line = Array.from({ length: 3000 }, (_, row) => row);
const style: Style = {
  mode: "auto",
  colours: new Uint32Array(1),
  flags: Uint8Array.of(SHOWN),
  highlight: [],
  alpha: 0,
  underlay: [],
  markers: false,
  fillAlpha: 0,
  look: { lineWidth: 1, thinWidth: 1, focusWidth: 2, rawAlpha: 0, dimAlpha: 0, surface: 0, ramp: [] },
};
const view = { x0: 0, x1: 1, y0: 0, y1: 1, xScale: LINEAR, yScale: LINEAR, w: 9, h: 9, dpr: 1, pad: 0 };

/** Attaches a canvas with a chart that is large enough for a worker. */
function attach(layer: Layer) {
  const [onlost, getContext] = [vi.fn(), vi.fn()];
  const card = layer.attach({ getContext } as unknown as HTMLCanvasElement, { onlost });
  card.setData(setOf(line));
  card.setStyle(style);
  card.setView(view);
  return { onlost, getContext };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a worker that fails is replaced once; then the page draws, and says so once", () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const layer = createLayer({ workers: 1 });
  const first = attach(layer);
  expect(workers).toHaveLength(1);
  workers[0]!.fail();
  expect(first.onlost).toHaveBeenCalledOnce();
  const second = attach(layer);
  expect([workers.length, workers[1]!.attached, warned.mock.calls.length]).toEqual([2, 1, 0]);
  workers[1]!.fail();
  expect(second.onlost).toHaveBeenCalledOnce();
  const third = attach(layer);
  expect([workers.length, third.getContext.mock.calls.length, warned.mock.calls.length]).toEqual([2, 1, 1]);
});

import { flushSync } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { loadState, patchState } from "./saved_state";
import { SectionOrder } from "./section_order.svelte";

vi.mock("./saved_state", () => ({ loadState: vi.fn(), patchState: vi.fn() }));
const KEYS = ["loss/", "train/", "system/"];
const shown = (order: SectionOrder): readonly string[] => order.apply(KEYS, (key) => key);

beforeEach(() => {
  vi.mocked(loadState).mockReset().mockResolvedValue(undefined);
  vi.mocked(patchState).mockReset().mockResolvedValue(undefined);
});

test("a saved order is applied", async () => {
  vi.mocked(loadState).mockResolvedValue({ sections: ["system/", "loss/", 7] });
  const order = new SectionOrder();
  expect(shown(order)).toEqual(KEYS);
  await order.load();
  expect(shown(order)).toEqual(["system/", "loss/", "train/"]);
});

test("without a saved order nothing is put together again", async () => {
  const order = new SectionOrder();
  let count = 0;
  const stop = $effect.root(() => {
    $effect(() => void (shown(order), (count += 1)));
  });
  flushSync();
  await order.load();
  flushSync();
  expect(count).toBe(1);
  stop();
});

test("a move is shown at once and saved whole", () => {
  const order = new SectionOrder();
  order.move(KEYS, KEYS, "system/", "top");
  expect(shown(order)).toEqual(["system/", "loss/", "train/"]);
  expect(patchState).toHaveBeenCalledWith("scalars", { sections: ["system/", "loss/", "train/"] });
  order.reset();
  expect(shown(order)).toEqual(KEYS);
  expect(patchState).toHaveBeenLastCalledWith("scalars", { sections: null });
});

test("a response that comes after a move does not undo it", async () => {
  vi.mocked(loadState).mockResolvedValue({ sections: ["train/"] });
  const order = new SectionOrder();
  const loading = order.load();
  order.move(KEYS, KEYS, "system/", "up");
  await loading;
  expect(shown(order)).toEqual(["loss/", "system/", "train/"]);
});

test("without a server the usual order stays, and a move says that it is not saved", async () => {
  vi.mocked(loadState).mockRejectedValue(new Error("gone"));
  vi.mocked(patchState).mockRejectedValue(new Error("gone"));
  const order = new SectionOrder();
  await order.load();
  order.move(KEYS, KEYS, "train/", "up");
  await vi.waitFor(() => expect(order.error).toBe("The order of sections is not saved: gone"));
  expect(shown(order)).toEqual(["train/", "loss/", "system/"]);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** As much of an OffscreenCanvas as the context needs; `renderer` is null where WebGL2 is missing. */
let renderer: string | null = "ANGLE (NVIDIA GeForce)";
const canvases: FakeCanvas[] = [];

class FakeCanvas extends EventTarget {
  constructor() {
    super();
    canvases.push(this);
  }

  getContext(): object | null {
    if (renderer === null) return null;
    return { getExtension: () => ({ UNMASKED_RENDERER_WEBGL: 1 }), getParameter: () => renderer };
  }
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("OffscreenCanvas", FakeCanvas);
  canvases.length = 0;
  renderer = "ANGLE (NVIDIA GeForce)";
});
afterEach(() => vi.unstubAllGlobals());

test("all cards get the same context", async () => {
  const { sharedContext } = await import("./context");
  expect(sharedContext()).not.toBeNull();
  expect(sharedContext()).toBe(sharedContext({ acceptsSoftware: true }));
  expect(canvases).toHaveLength(1);
});

test("a context in software is for those who take it", async () => {
  renderer = "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)))";
  const { sharedContext } = await import("./context");
  expect(sharedContext()).toBeNull();
  expect(sharedContext({ acceptsSoftware: true })?.isSoftware).toBe(true);
  expect(canvases).toHaveLength(1);
});

test("where there is none it is asked for once", async () => {
  renderer = null;
  const { sharedContext } = await import("./context");
  expect([sharedContext(), sharedContext({ acceptsSoftware: true })]).toEqual([null, null]);
  expect(canvases).toHaveLength(1);
});

test("after a loss renderers are told and a new one is made, but not for ever", async () => {
  const { onContextLost, sharedContext } = await import("./context");
  let told = 0;
  const stop = onContextLost(() => (told += 1));
  for (let loss = 1; loss <= 3; loss += 1) {
    expect(sharedContext()).not.toBeNull();
    canvases.at(-1)!.dispatchEvent(new Event("webglcontextlost"));
    expect(told).toBe(loss);
  }
  stop();
  expect(sharedContext()).toBeNull();
});

test("a renderer learns that another one drew in between", async () => {
  const { sharedContext, takeContext } = await import("./context");
  sharedContext();
  const [one, other] = [{}, {}];
  expect([one, one, other, other, one].map((user) => takeContext(user))).toEqual([false, false, true, false, true]);
});

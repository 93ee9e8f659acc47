import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import { DEFAULT_METHOD } from "../model";
import type { MethodName, Projection, ProjectionRequest } from "../wire";
import { CameraModel, type SeenPane } from "./camera_model.svelte";

vi.mock("./motion", () => ({ isMotionReduced: () => true, animate: () => () => undefined }));

/** Two points, as far apart as the picture is wide. */
const pictureOf = (width: number): Projection =>
  ({ x: Float32Array.of(0, width), y: Float32Array.of(0, 0), z: null, state: "done" }) as unknown as Projection;

class Pane implements SeenPane {
  readonly entry = { run: "r", name: "config:v", title: "v", steps: [] };
  readonly model = { visible: null };
  partner = $state.raw<Projection | null>(null);
  readonly cameraText = undefined;
  name = $state<MethodName>("pca");
  dims = $state<2 | 3>(2);
  shown = $state.raw<{ readonly method: MethodName; readonly width: number }>({ method: "pca", width: 100 });
  get method() {
    return { ...DEFAULT_METHOD, method: this.name, dims: this.dims };
  }
  get projected(): ProjectionRequest {
    return {
      run: "r",
      name: "config:v",
      method: { ...DEFAULT_METHOD, method: this.shown.method },
    } as ProjectionRequest;
  }
  get projection(): Projection {
    const flat = pictureOf(this.shown.width);
    return this.dims === 3 ? { ...flat, z: Float32Array.of(0, 10) } : flat;
  }
  setCameraText(): void {}
}

function opened(): { pane: Pane; camera: CameraModel; close: () => void } {
  const pane = new Pane();
  let camera!: CameraModel;
  const close = $effect.root(() => {
    camera = new CameraModel(pane);
    camera.size = { width: 400, height: 300 };
  });
  flushSync();
  return { pane, camera, close };
}

test("the camera is fitted to the picture of another method, not to the one that is shown until it comes", () => {
  const { pane, camera, close } = opened();
  const before = camera.camera!.extent;
  pane.name = "tsne";
  flushSync();
  expect(camera.camera!.extent).toBe(before);
  // Little enough not to be far off.
  pane.shown = { method: "tsne", width: 104 };
  flushSync();
  expect(camera.camera!.extent).toBeCloseTo(1.04 * before);
  close();
});

test("two pictures with one camera are fitted together", () => {
  const { pane, camera, close } = opened();
  const alone = camera.camera!;
  pane.partner = pictureOf(104);
  flushSync();
  expect(camera.camera!.extent).toBeCloseTo(1.04 * alone.extent);
  expect(camera.camera!.x).toBeCloseTo(52);
  pane.partner = null;
  flushSync();
  expect(camera.camera).toEqual(alone);
  close();
});

test("three dimensions are tilted once, and two are flat again", () => {
  const { pane, camera, close } = opened();
  expect(camera.camera).toMatchObject({ yaw: 0, pitch: 0 });
  pane.dims = 3;
  flushSync();
  expect(camera.camera!.yaw).not.toBe(0);
  expect(camera.camera!.pitch).not.toBe(0);
  // A person turns it back, and it stays so.
  camera.turnBy(-camera.camera!.yaw / 0.008, -camera.camera!.pitch / 0.008);
  pane.shown = { method: "pca", width: 101 };
  flushSync();
  expect(camera.camera!.yaw).toBeCloseTo(0);
  pane.dims = 2;
  flushSync();
  pane.dims = 3;
  flushSync();
  expect(camera.camera!.yaw).not.toBeCloseTo(0);
  close();
});

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
  shown = $state.raw<{ readonly method: MethodName; readonly width: number }>({ method: "pca", width: 100 });
  get method() {
    return { ...DEFAULT_METHOD, method: this.name };
  }
  get projected(): ProjectionRequest {
    return {
      run: "r",
      name: "config:v",
      method: { ...DEFAULT_METHOD, method: this.shown.method },
    } as ProjectionRequest;
  }
  get projection(): Projection {
    return pictureOf(this.shown.width);
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

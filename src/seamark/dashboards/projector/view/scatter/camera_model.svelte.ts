/** CameraModel: from where the picture is seen. It is fitted once for each embedding and method, and then stays as a person moves it. */

import { untrack } from "svelte";
import type { Point, Size } from "$public/charts";
import { isOf } from "../model";
import type { PaneModel } from "../pane_model.svelte";
import {
  between,
  cameraOf,
  cameraText,
  fitted,
  FLAT,
  isFarOff,
  joined,
  orbit,
  pan,
  planeOf,
  TILTED,
  zoomAt,
} from "./camera";
import type { Camera, Plane, Positions } from "./camera";
import { animate, isMotionReduced } from "./motion";

const ADDRESS_PAUSE_MS = 400;
const MAX_OUT = 4;
const MAX_IN = 20_000;

/** What the camera takes of a pane. */
export type SeenPane = Pick<
  PaneModel,
  "entry" | "method" | "projected" | "projection" | "partner" | "cameraText" | "setCameraText"
> & { readonly model: { readonly visible: Uint8Array | null } };

export class CameraModel {
  size = $state.raw<Size>({ width: 0, height: 0 });
  #camera = $state.raw<Camera | null>(null);
  /** Of the picture that shows everything. */
  #fullExtent = $state(1);
  /** Which embedding and method the camera was fitted to. */
  #fittedTo = "";
  #fittedSize: Size | null = null;
  #fittedWith: Positions | null = null;
  /** A person, or the address, has chosen the camera. */
  #isChosen = false;
  #inAddress: string | undefined;
  /** Which embedding and method a bookmark or a link has given the camera for. */
  #givenFor = "";
  /** The picture has been seen in three dimensions since it became one. */
  #isTilted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopMotion = (): void => undefined;

  constructor(private readonly pane: SeenPane) {
    $effect(() => {
      const { projection } = pane;
      const { size } = this;
      void pane.partner;
      const subject = this.#subject;
      if (projection && this.#isOfSubject && size.width > 0) untrack(() => this.#follow(projection, subject));
    });
    $effect(() => {
      if (pane.method.dims === 2) untrack(() => this.#flatten());
    });
    $effect(() => {
      // Not before the positions have three axes: a tilted plane would be fitted.
      if (pane.method.dims === 3 && this.#isOfSubject && pane.projection?.z) untrack(() => this.#tilt());
    });
    $effect(() => {
      const text = pane.cameraText;
      untrack(() => this.#readAddress(text));
    });
    $effect(() => () => {
      clearTimeout(this.#timer);
      this.#stopMotion();
    });
  }

  readonly #subject = $derived.by(() => {
    const { entry, method } = this.pane;
    return JSON.stringify([entry?.run, entry?.title, method.method]);
  });
  /** False while the picture of another method or embedding is still shown. */
  readonly #isOfSubject = $derived.by(() => {
    const { entry, method, projected } = this.pane;
    return entry !== null && projected !== null && isOf(entry, projected) && projected.method.method === method.method;
  });
  readonly camera = $derived.by(() => this.#camera);
  readonly plane = $derived.by((): Plane | null => this.#camera && planeOf(this.#camera, this.size));
  /** 1 shows everything, 2 half of it. */
  readonly zoom = $derived.by(() => (this.#camera ? this.#fullExtent / this.#camera.extent : 1));

  panBy(dx: number, dy: number): void {
    this.#change((camera) => pan(camera, dx, dy, this.size));
  }

  turnBy(dx: number, dy: number): void {
    this.#change((camera) => orbit(camera, dx, dy));
  }

  zoomBy(factor: number, at: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    this.#change((camera) => {
      const extent = Math.min(this.#fullExtent * MAX_OUT, Math.max(this.#fullExtent / MAX_IN, camera.extent / factor));
      return zoomAt(camera, camera.extent / extent, at, this.size);
    });
  }

  /** Shows everything, from the same direction. */
  fit(): void {
    const { projection } = this.pane;
    const camera = projection && this.#fitted(projection, this.#camera ?? FLAT);
    if (!camera) return;
    this.#isChosen = false;
    this.#moveTo(camera);
    this.#writeAddress();
  }

  #change(next: (camera: Camera) => Camera): void {
    if (!this.#camera) return;
    this.#stopMotion();
    this.#camera = next(this.#camera);
    this.#isChosen = true;
    this.#writeAddress();
  }

  #fitted(positions: Positions, { yaw, pitch }: Pick<Camera, "yaw" | "pitch">): Camera | null {
    const { partner } = this.pane;
    const { visible } = this.pane.model;
    const shown = partner ? joined({ positions, visible }, partner) : { positions, visible };
    const camera = fitted(shown.positions, shown.visible, this.size, { yaw, pitch });
    if (camera) this.#fullExtent = camera.extent;
    return camera;
  }

  /** The first picture is fitted; later ones only if nobody has moved the camera and the points have left it, as those of t-SNE do. */
  #follow(projection: Positions, subject: string): void {
    if (subject !== this.#fittedTo) {
      const given = this.#fittedTo === "" || this.#givenFor === subject ? cameraOf(this.pane.cameraText) : null;
      const own = this.#fitted(projection, projection.z ? TILTED : FLAT);
      if (!own) return;
      this.#fittedTo = subject;
      this.#isTilted = projection.z !== null;
      [this.#fittedSize, this.#fittedWith] = [this.size, this.pane.partner];
      this.#isChosen = given !== null;
      this.#inAddress = this.pane.cameraText;
      this.#stopMotion();
      this.#camera = given ?? own;
      if (!given) this.#writeAddress();
      return;
    }
    if (this.#isChosen || !this.#camera) return;
    const own = this.#fitted(projection, this.#camera);
    if (!own) return;
    if (this.#fittedSize !== this.size || this.#fittedWith !== this.pane.partner) this.#camera = own;
    else if (isFarOff(this.#camera, own, { isFinal: this.pane.projection?.state === "done" })) this.#moveTo(own);
    [this.#fittedSize, this.#fittedWith] = [this.size, this.pane.partner];
  }

  /** Once for each change to three dimensions: a person may turn the picture back. */
  #tilt(): void {
    const [camera, { projection }] = [this.#camera, this.pane];
    if (this.#isTilted || !camera || !projection) return;
    this.#isTilted = true;
    if (camera.yaw !== 0 || camera.pitch !== 0) return;
    const own = this.#isChosen ? null : this.#fitted(projection, TILTED);
    this.#moveTo(own ?? { ...camera, ...TILTED });
  }

  #flatten(): void {
    this.#isTilted = false;
    const camera = this.#camera;
    if (camera && (camera.yaw !== 0 || camera.pitch !== 0)) this.#moveTo({ ...camera, ...FLAT, z: 0 });
  }

  #moveTo(to: Camera): void {
    this.#stopMotion();
    const from = this.#camera;
    if (!from || isMotionReduced()) {
      this.#camera = to;
      return;
    }
    this.#stopMotion = animate((share) => (this.#camera = share === 1 ? to : between(from, to, share)));
  }

  /** The address has changed by a link, a bookmark or the browser's Back. */
  #readAddress(text: string | undefined): void {
    if (text === this.#inAddress || this.#fittedTo === "") return;
    this.#inAddress = text;
    const given = cameraOf(text);
    if (!given) return this.fit();
    this.#isChosen = true;
    this.#givenFor = this.#subject;
    this.#moveTo(given);
  }

  #writeAddress(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#inAddress = this.#isChosen && this.#camera ? cameraText(this.#camera) : undefined;
      this.pane.setCameraText(this.#inAddress);
    }, ADDRESS_PAUSE_MS);
  }
}

/** What the cards share: how meshes are drawn, the camera, the step and the sample. */

import { type BoardContext, cardFields } from "$public/boards";
import { themeColours } from "$public/charts";
import type { DashboardContext } from "$public/core";
import { createContext } from "svelte";
import type { Pose } from "./pose";
import type { CommonLook } from "./view";

export const [getMeshModel, setMeshModel] = createContext<MeshModel>();

export class MeshModel {
  pose = $state.raw<Pose | null>(null);
  /** The card whose camera was turned last. */
  turnedBy = "";
  /** Numbers that files have for their vertices, by name: more to colour by. */
  scalars = $state.raw<readonly string[]>([]);
  /** How often all cameras were reset. */
  resets = $state(0);

  constructor(readonly board: BoardContext<DashboardContext>) {}

  readonly linksCameras = $derived.by(() => this.#get("cameras") !== "apart");
  readonly linksSteps = $derived.by(() => this.#get("steps") !== "apart");
  readonly sample = $derived.by(() => Math.max(0, Math.floor(Number(this.#get("sample") ?? 0)) || 0));
  readonly #linkedStep = $derived.by(() => cardFields.number(Number(this.#get("step") || NaN)) ?? null);
  /** The same list while the theme is the same, so that geometry is not coloured again. */
  readonly #ramp = $derived.by(() => themeColours.rampStops(this.board.context.theme));
  readonly look = $derived.by<CommonLook>(() => ({
    pointSize: Number(this.#get("size") ?? 2) || 2,
    wireframe: this.#get("wireframe") === "1",
    flat: this.#get("shading") === "flat",
    colouring: this.#get("colour") ?? "logged",
    zUp: this.#get("up") === "z",
    ramp: this.#ramp,
  }));

  /** Removes the parameter if it has its default. */
  set(name: string, value: string, byDefault = ""): void {
    this.board.context.url.set(name, value === byDefault ? undefined : value);
  }

  /** Null is the newest of each card. */
  stepOf(card: string): number | null {
    const own = this.linksSteps ? undefined : cardFields.number(this.board.cards.of(card).step);
    return own ?? this.#linkedStep;
  }

  setStep(card: string, step: number): void {
    if (this.linksSteps) this.set("step", String(step));
    else this.board.cards.change(card, { step });
  }

  turn(card: string, pose: Pose): void {
    if (!this.linksCameras) return;
    this.turnedBy = card;
    this.pose = pose;
  }

  offerScalars(names: readonly string[]): void {
    if (names.some((name) => !this.scalars.includes(name))) this.scalars = [...new Set([...this.scalars, ...names])];
  }

  reset(): void {
    this.pose = null;
    this.resets += 1;
  }

  #get(name: string): string | undefined {
    return this.board.context.url.get(name);
  }
}

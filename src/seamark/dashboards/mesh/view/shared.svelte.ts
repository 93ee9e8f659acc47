/** What the cards have in common: how they are turned, which step and which sample they show. */

import type { UrlParams } from "$public/core";
import type { Pose } from "./pose";

export class Shared {
  /** Cameras of all cards turn together. */
  isLinked = $state(true);
  linksSteps = $state(true);
  sample = $state(0);
  /** Null is the newest of each. */
  step = $state<number | null>(null);
  pose = $state.raw<Pose | null>(null);
  /** Whose turn it was. */
  by = "";
  /** Names of numbers that files have for their vertices: more to colour by. */
  scalars = $state.raw<readonly string[]>([]);
  /** Counts how often all were to show all again. */
  resets = $state(0);
  readonly #own = $state<Record<string, number>>({});

  constructor(private readonly url: UrlParams) {
    const step = Number(url.get("step") ?? "");
    if (url.get("step") && Number.isFinite(step)) this.step = step;
    this.sample = Math.max(0, Math.floor(Number(url.get("sample") ?? 0)) || 0);
    this.isLinked = url.get("cameras") !== "apart";
    this.linksSteps = url.get("steps") !== "apart";
  }

  stepOf(key: string): number {
    return (this.linksSteps ? undefined : this.#own[key]) ?? this.step ?? Infinity;
  }

  setStep(key: string, step: number): void {
    if (!this.linksSteps) this.#own[key] = step;
    if (this.linksSteps || this.step === null) this.step = step;
    this.url.set("step", String(this.step));
  }

  setSample(sample: number): void {
    this.sample = sample;
    this.url.set("sample", sample === 0 ? undefined : String(sample));
  }

  linkCameras(wanted: boolean): void {
    this.isLinked = wanted;
    this.url.set("cameras", wanted ? undefined : "apart");
  }

  linkSteps(wanted: boolean): void {
    this.linksSteps = wanted;
    this.url.set("steps", wanted ? undefined : "apart");
  }

  turn(by: string, pose: Pose): void {
    this.by = by;
    this.pose = pose;
  }

  offer(names: readonly string[]): void {
    if (names.some((name) => !this.scalars.includes(name))) this.scalars = [...new Set([...this.scalars, ...names])];
  }

  reset(): void {
    this.pose = null;
    this.resets += 1;
  }
}

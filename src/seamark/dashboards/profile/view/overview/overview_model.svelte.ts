/** OverviewModel: the numbers of Overview, and which step is hovered or pinned. */

import { createContext } from "svelte";
import { Resource } from "$public/core";
import type { ProfileRequests } from "../load";
import { isSameProfile } from "../profile_ref";
import type { BreakdownPart, Findings, Operators, Overview, ProfileRef, StepBreakdown, StepStrip } from "../wire";
import type { Bar } from "./breakdown/bars";
import { typicalStep } from "./strip/strip";

export interface OverviewHost {
  ref(): ProfileRef | null;
  readonly requests: ProfileRequests;
  readonly url: { get(name: string): string | undefined; set(name: string, value: string | undefined): void };
}

interface FindingsRequest extends ProfileRef {
  readonly allRanks: boolean;
}

interface StepRequest extends ProfileRef {
  readonly step: number;
}

/** Made while a component is: its effects end with that. */
export class OverviewModel {
  readonly #overview: Resource<ProfileRef, Overview>;
  readonly #findings: Resource<FindingsRequest, Findings>;
  readonly #operators: Resource<ProfileRef, Operators>;
  readonly #strip: Resource<StepRequest, StepStrip>;
  /** The profile whose findings look at all ranks, although reading them takes long. */
  #allRanksOf = $state.raw<ProfileRef | null>(null);
  /** The bar under the pointer. */
  hovered = $state.raw<Bar | null>(null);
  /** The row under the pointer: the other parts are dimmed. */
  hoveredPart = $state<BreakdownPart | null>(null);

  constructor(private readonly host: OverviewHost) {
    const { requests } = host;
    this.#overview = new Resource((ref, signal) => requests.overview(ref, signal));
    this.#findings = new Resource(({ allRanks, ...ref }, signal) => requests.findings(ref, allRanks, signal));
    this.#operators = new Resource((ref, signal) => requests.operators(ref, "name", signal));
    this.#strip = new Resource(({ step, ...ref }, signal) => requests.step(ref, step, signal));
    $effect(() => {
      const ref = host.ref();
      if (!ref) return;
      for (const resource of [this.#overview, this.#operators]) resource.load(ref);
      const allRanks = this.#allRanksOf !== null && isSameProfile(this.#allRanksOf, ref);
      this.#findings.load({ ...ref, allRanks });
      if (this.stripStep >= 0) this.#strip.load({ ...ref, step: this.stripStep });
    });
    $effect(() => () => {
      for (const resource of [this.#overview, this.#findings, this.#operators, this.#strip]) resource.close();
    });
  }

  readonly overview = $derived.by(() => this.#current(this.#overview));
  readonly overviewError = $derived.by(() => this.#overview.error);
  readonly findings = $derived.by(() => this.#current(this.#findings));
  readonly findingsError = $derived.by(() => this.#findings.error);
  /** While the other ranks are read. */
  readonly isReadingRanks = $derived.by(
    () => this.#allRanksOf !== null && this.findings !== null && this.findings.unread_ranks > 0 && !this.findingsError,
  );

  readAllRanks(): void {
    this.#allRanksOf = this.host.ref();
  }

  readonly operators = $derived.by(() => this.#current(this.#operators));
  readonly operatorsError = $derived.by(() => this.#operators.error);
  readonly strip = $derived.by(() => (this.stripStep < 0 ? null : this.#current(this.#strip)));
  readonly stripError = $derived.by(() => this.#strip.error);

  readonly steps = $derived.by((): readonly StepBreakdown[] => this.overview?.steps ?? []);

  /** The position of the pinned step; null: the mean is shown. */
  readonly pinned = $derived.by((): number | null => {
    const step = Number(this.host.url.get("step") ?? NaN);
    return Number.isInteger(step) && step >= 0 && step < this.steps.length ? step : null;
  });

  /** The step of the strip: the pinned one, or the one nearest to the mean. */
  readonly stripStep = $derived.by((): number => {
    if (this.pinned !== null) return this.pinned;
    return typicalStep(this.steps, this.overview?.headline.step_mean_ns ?? 0);
  });

  /** Bars by time, or as shares of each step. */
  readonly by = $derived.by((): "time" | "share" => (this.host.url.get("bars") === "share" ? "share" : "time"));

  setBy(by: "time" | "share"): void {
    this.host.url.set("bars", by === "share" ? by : undefined);
  }

  pin(step: number | null): void {
    this.host.url.set("step", step === null ? undefined : String(step));
  }

  /** Pins the step before or after. */
  move(by: number): void {
    const last = this.steps.length - 1;
    if (last < 0) return;
    this.pin(Math.min(last, Math.max(0, this.stripStep + (this.pinned === null ? 0 : by))));
  }

  #current<Value>(
    resource: Resource<ProfileRef, Value> | Resource<StepRequest, Value> | Resource<FindingsRequest, Value>,
  ): Value | null {
    const { loaded } = resource;
    const ref = this.host.ref();
    return loaded && ref && isSameProfile(loaded.request, ref) ? loaded.value : null;
  }
}

export const [getOverviewModel, setOverviewModel] = createContext<OverviewModel>();

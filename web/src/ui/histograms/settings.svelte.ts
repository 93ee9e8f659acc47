/** How histograms are shown, in the address. */

import type { AddressParams } from "../board/host";

export const MODES = ["ridge", "overlay", "heat"] as const;
export type Mode = (typeof MODES)[number];

export class HistogramSettings {
  constructor(private readonly url: AddressParams) {}

  readonly mode = $derived.by((): Mode => MODES.find((mode) => mode === this.url.get("mode")) ?? "ridge");
  readonly isLog = $derived.by(() => this.url.get("log") === "true");
  /** A heat map shows one run. */
  readonly isOverlaid = $derived.by(() => this.url.get("runs") === "together" && this.mode !== "heat");

  setMode(mode: Mode): void {
    this.url.set("mode", mode === "ridge" ? undefined : mode);
  }

  nextMode(): void {
    this.setMode(MODES[(MODES.indexOf(this.mode) + 1) % MODES.length]!);
  }

  toggleLog(): void {
    this.url.set("log", this.isLog ? undefined : "true");
  }

  setOverlaid(isOverlaid: boolean): void {
    this.url.set("runs", isOverlaid ? "together" : undefined);
  }

  openRules(rule = "collapsed"): void {
    this.url.set("rule", rule);
  }
}

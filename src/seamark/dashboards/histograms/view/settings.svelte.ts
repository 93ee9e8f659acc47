/** How histograms are shown, kept in the address. */

import type { DashboardContext } from "$public/core";
import { MODES, type Mode } from "./model";

export class HistogramSettings {
  constructor(private readonly context: DashboardContext) {}

  readonly mode = $derived.by((): Mode => MODES.find((mode) => mode === this.context.url.get("mode")) ?? "ridge");
  readonly isLog = $derived.by(() => this.context.url.get("log") === "true");
  /** A heat map shows one run. */
  readonly isOverlaid = $derived.by(() => this.context.url.get("runs") === "together" && this.mode !== "heat");

  setMode(mode: Mode): void {
    this.context.url.set("mode", mode === "ridge" ? undefined : mode);
  }

  setLog(isLog: boolean): void {
    this.context.url.set("log", isLog ? "true" : undefined);
  }

  setTogether(isOverlaid: boolean): void {
    this.context.url.set("runs", isOverlaid ? "together" : undefined);
  }
}

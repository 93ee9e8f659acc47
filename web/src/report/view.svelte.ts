/** What the reader of a report has chosen; nothing of it is kept. */

import { flushSync } from "svelte";
import { ADAPTIVE } from "../base/smoothing";
import { paletteStyle } from "../base/colours";
import { groupByPrefix } from "../base/tags";
import { Theme } from "../base/theme.svelte";
import type { SeriesStyle } from "../chart/spec";
import type { Axis } from "../data/api";
import type { Report } from "./data";

export class View {
  readonly theme = new Theme(() => undefined);
  /** Every chart is a picture then, near or not, on white paper. */
  printing = $state(false);
  axis = $state<Axis>("step");
  logY = $state(false);
  smoothing = $state.raw(ADAPTIVE);
  filter = $state("");
  focus = $state<string | null>(null);
  /** Where the pointer stands on one chart, for the others. */
  crosshair = $state<number | null>(null);
  hidden = $state.raw<ReadonlySet<string>>(new Set());
  readonly #styles: ReadonlyMap<string, SeriesStyle>;
  readonly #labels: ReadonlyMap<string, string>;

  constructor(readonly report: Report) {
    this.#styles = new Map(
      report.runs.map(({ name, colour, place }) => {
        const style = paletteStyle(place);
        return [name, colour ? { token: colour, dashed: false, live: false } : { ...style, live: false }];
      }),
    );
    this.#labels = new Map(report.runs.map(({ name, label }) => [name, label || name]));
  }

  readonly themeShown = $derived(this.printing ? "light" : this.theme.shown);

  readonly charts = $derived.by(() => {
    const wanted = this.filter.trim().toLowerCase();
    return groupByPrefix(this.report.charts.filter(({ tag }) => tag.toLowerCase().includes(wanted))).flatMap(
      ({ entries }) => entries,
    );
  });

  readonly isShown = $derived.by(() => {
    const hidden = this.hidden;
    return (run: string): boolean => !hidden.has(run);
  });

  readonly styleOf = (run: string): SeriesStyle =>
    this.#styles.get(run) ?? { token: "--run-1", dashed: false, live: false };
  readonly nameOf = (run: string): string => this.#labels.get(run) ?? run;

  /** Follows the browser's print until the returned function is called. */
  followPrint(): () => void {
    const media = matchMedia("print");
    let isAsked = false;
    // At once: what is not in the document when the listener returns is not printed.
    const follow = (): void => flushSync(() => void (this.printing = isAsked || media.matches));
    const ask = ({ type }: Event): void => {
      isAsked = type === "beforeprint";
      follow();
    };
    addEventListener("beforeprint", ask);
    addEventListener("afterprint", ask);
    media.addEventListener("change", follow);
    return () => {
      removeEventListener("beforeprint", ask);
      removeEventListener("afterprint", ask);
      media.removeEventListener("change", follow);
    };
  }

  toggle(run: string): void {
    const hidden = new Set(this.hidden);
    if (!hidden.delete(run)) hidden.add(run);
    this.hidden = hidden;
  }

  /** All, or none when all are shown. */
  toggleAll(): void {
    this.hidden = this.hidden.size > 0 ? new Set() : new Set(this.report.runs.map(({ name }) => name));
  }
}

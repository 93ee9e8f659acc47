/** The status of every run. */

import { whenIdle } from "../base/idle";
import { request } from "./request";
import { Resource } from "./resource.svelte";

/** Of many thousands of runs the list is long: it is requested at most this often. */
const PAUSE_MS = 2000;
/** A run is killed, and run.json says "finished", without a new point. */
const POLL_MS = 4000;
const NONE: Statuses = { isKnown: false, of: new Map() };

export interface Statuses {
  /** False until the server has built the table of runs. */
  readonly isKnown: boolean;
  readonly of: ReadonlyMap<string, string>;
}

let last = { text: "", statuses: NONE };

/** The same answer gives the same map, so that nothing is drawn anew. */
async function fetchStatuses(_: null, signal: AbortSignal): Promise<Statuses> {
  if (last.text === "") await new Promise<void>((resolve) => void whenIdle(resolve)); // the charts come first
  const text = await (await request("api/table/statuses", { signal })).text();
  if (text !== last.text) last = { text, statuses: readStatuses(text) };
  return last.statuses;
}

function readStatuses(text: string): Statuses {
  const answer = JSON.parse(text) as { is_known: boolean; statuses: Record<string, string[]> };
  const of = new Map<string, string>();
  for (const [status, runs] of Object.entries(answer.statuses)) for (const run of runs) of.set(run, status);
  return { isKnown: answer.is_known, of };
}

export class StatusSource extends Resource<null, Statuses> {
  /** `mayChange` says which statuses become others without a new event. */
  constructor(private readonly mayChange: (status: string) => boolean) {
    super(fetchStatuses, { pauseMs: PAUSE_MS });
  }

  readonly #mayChange = $derived.by(() => {
    const { isKnown, of } = this.value ?? NONE;
    return !isKnown || [...new Set(of.values())].some(this.mayChange);
  });

  get isKnown(): boolean {
    return (this.value ?? NONE).isKnown;
  }

  get of(): ReadonlyMap<string, string> {
    return (this.value ?? NONE).of;
  }

  /** For an effect: loads again while a status may change by itself. */
  poll(): (() => void) | void {
    if (!this.#mayChange) return;
    const timer = setInterval(() => {
      if (!document.hidden) this.retry();
    }, POLL_MS);
    return () => clearInterval(timer);
  }
}

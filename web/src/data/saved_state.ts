/** What a dashboard keeps on the server, under its own name: read, and changed without touching what others keep. */

import { fetchState, sendStatePatch } from "./api";

const TRIES = 5;

/** Whatever was kept, by whatever version of the page: to be looked at with care. */
export async function loadState(dashboard: string): Promise<unknown> {
  return own((await fetchState()).dashboards, dashboard);
}

/** Merges (null removes; lists are replaced) and gives back what is kept now. Of two who change the same thing the last one wins. */
export async function patchState(dashboard: string, change: Readonly<Record<string, unknown>>): Promise<unknown> {
  let { version } = await fetchState();
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { state, isDone } = await sendStatePatch(version, { dashboards: { [dashboard]: change } });
    if (isDone) return own(state.dashboards, dashboard);
    ({ version } = state);
  }
  throw new Error("others change the same at this moment; try again");
}

const own = (kept: Readonly<Record<string, unknown>> | undefined, name: string): unknown =>
  kept && Object.hasOwn(kept, name) ? kept[name] : undefined;

/** Cards that people keep on top, remembered by the server for the next visit. */

import { fetchState, sendStatePatch } from "./api";

const TRIES = 5;

/** None when the server keeps nothing. */
export async function fetchPins(): Promise<readonly unknown[]> {
  try {
    return (await fetchState()).pins;
  } catch {
    return [];
  }
}

/** The last word wins; what else is kept there stays. Pins are in the address as well, so a failure loses nothing in sight. */
export async function keepPins(pins: readonly unknown[]): Promise<void> {
  try {
    let { version } = await fetchState();
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { state, isDone } = await sendStatePatch(version, { pins });
      if (isDone) return;
      ({ version } = state);
    }
  } catch {
    // The page says elsewhere that the server is gone.
  }
}

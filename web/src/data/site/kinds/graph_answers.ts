/** Views of graphs: of the sets of open groups that the site has stored, the nearest to the requested one. */

import { needsServer, storedResponse, type SiteRequest } from "../site_request";

interface ViewBody {
  readonly run: string;
  readonly graph: string;
  readonly open?: readonly string[] | null;
  readonly unstacked?: readonly string[];
  readonly unfolded?: readonly string[];
  readonly isolated?: readonly string[];
  readonly baseline?: unknown;
}

export async function graphView({ files, body }: SiteRequest): Promise<Response> {
  const { run, graph, open = null, unstacked, unfolded, isolated, baseline } = body as ViewBody;
  if (unstacked?.length || unfolded?.length || isolated?.length || baseline) return needsServer();
  const key = `graph\0${run}\0${graph}`;
  const states = await files.json<string[][]>(key);
  if (!states) return needsServer();
  const shown = open === null ? null : nearest(states, open);
  const stored = await files.read(`${key}\0${JSON.stringify(shown)}`);
  return stored ? storedResponse(stored) : needsServer();
}

/** The state with the fewest differences; among equals one in which the group that was opened last is open. */
export function nearest(states: readonly (readonly string[])[], open: readonly string[]): readonly string[] {
  const wanted = new Set(open);
  const newest = open.at(-1);
  let best = states[0] ?? [];
  let fewest = Infinity;
  for (const state of states) {
    const common = state.filter((group) => wanted.has(group)).length;
    const hasNewest = newest !== undefined && state.includes(newest);
    // What was just opened should be open, whatever else has to close for it.
    const differences = state.length + wanted.size - 2 * common - (hasNewest ? wanted.size : 0);
    if (differences < fewest) {
      fewest = differences;
      best = state;
    }
  }
  return best;
}

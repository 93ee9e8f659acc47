/** What cards of histograms need from the context of their dashboard. */

import { createContext } from "svelte";
import type { SvelteSet } from "svelte/reactivity";
import type { Axis } from "../../data/api";
import { getBoardContext, type BoardContext } from "../board/board_context.svelte";
import type { BoardHost } from "../board/host";

export interface HistogramHost extends BoardHost {
  revisionOf(kind: string, tag: string): number;
  readonly theme: "light" | "dark";
  readonly settings: BoardHost["settings"] & {
    axis: Axis;
    clipOutliers: boolean;
    attempts: "latest" | "all" | "marked";
  };
}

export const getHistogramBoard = getBoardContext as () => BoardContext<HistogramHost>;

/** The route that lists the rules behind the hints. */
export const RULES = "api/dashboards/histograms/rules";

/** The runs of a board in which values exploded, as far as its cards have been loaded. */
export const [getExplodedRuns, setExplodedRuns] = createContext<SvelteSet<string>>();

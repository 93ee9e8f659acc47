import { cardPerRun, runCardKey } from "../../ui/board/board_model.svelte";
import { shownRuns } from "../../ui/board/shown_runs";

/** Cards by tag and run: the list, the key of one, and the shown runs of a tag. */
export const runCards = { list: cardPerRun, key: runCardKey, shownRuns } as const;

import { getBoardContext, type BoardContext } from "../ui/board/board_context.svelte";
import type { DashboardContext } from "./plugin";

/** The board around a card. Call it while the card is created. */
export const getBoard = getBoardContext as () => BoardContext<DashboardContext>;
/** What a board offers to its cards. */
export type { BoardContext };

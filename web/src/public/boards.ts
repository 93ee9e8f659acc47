/** Cards and what surrounds them: grids, frames, menus, sliders and empty states. */

import { getBoardContext, type BoardContext } from "../ui/board/board_context.svelte";
import type { DashboardContext } from "./plugin";

/** The board around a card. Call it while the card is created. */
export const getBoard = getBoardContext as () => BoardContext<DashboardContext>;

export { default as Board } from "../ui/board/Board.svelte";
export type { BoardContext };
export { BoardModel, cardPerRun, runCardKey, type RunCard } from "../ui/board/board_model.svelte";
export { default as CardFrame } from "../ui/board/CardFrame.svelte";
export { numberOf, rangeField, rangeOf } from "../ui/board/card_state.svelte";
export { CardSteps } from "../ui/board/card_steps.svelte";
export { default as ColumnsMenu } from "../ui/board/ColumnsMenu.svelte";
export { default as OneRunCard } from "../ui/board/OneRunCard.svelte";
export { shownRuns } from "../ui/board/shown_runs";
export { closeOnEscape } from "../ui/board/escape.svelte";
export { default as DockedTip } from "../ui/DockedTip.svelte";
export { default as EmptyState } from "../ui/EmptyState.svelte";
export { default as CardGrid } from "../ui/board/CardGrid.svelte";
export { columnCount, type Section } from "../ui/board/layout";
export { PayloadSource } from "../data/payload_source.svelte";
export { default as Field } from "../ui/Field.svelte";
export { default as TagField } from "../ui/board/TagField.svelte";
export { default as Icon } from "../ui/Icon.svelte";
export { pushLayer } from "../ui/layers";
export { default as Menu } from "../ui/Menu.svelte";
export type { MenuGroups } from "../ui/menu";
export { default as Popover } from "../ui/Popover.svelte";
export { default as RichText } from "../ui/RichText.svelte";
export { default as Smoothing } from "../ui/Smoothing.svelte";
export { default as StepSlider } from "../ui/StepSlider.svelte";

/** Cards and what surrounds them: the board, frames, menus, sliders and empty states. */

export * from "./groups/run_cards";
export * from "./groups/card_fields";
export * from "./board_context";
/** The board of a tag dashboard: filter, sections, columns, full screen, keys, empty and error states. */
export { default as Board } from "../ui/board/Board.svelte";
/** The cards of a board, by tag or by tag and run. */
export { BoardModel, type BoardSpec, type RunCard, type TagSection } from "../ui/board/board_model.svelte";
/** The frame of a card: title, buttons, content. */
export { default as CardFrame } from "../ui/board/CardFrame.svelte";
/** The step that each card shows, linked or not, in the address. */
export { CardSteps } from "../ui/board/card_steps.svelte";
/** A card that shows one run at a time, with a picker for the others. */
export { default as OneRunCard } from "../ui/board/OneRunCard.svelte";
/** Makes Escape close what is shown in place of the cards. */
export { closeOnEscape } from "../ui/board/escape.svelte";
/** Copies a text. */
export { default as CopyButton } from "../ui/CopyButton.svelte";
/** Copies a text from a menu, and says so for a moment. */
export { Copying } from "../ui/copying.svelte";
/** A window above the page, which waits behind it. */
export { default as Dialog } from "../ui/Dialog.svelte";
/** A tooltip that is docked to a card. */
export { default as DockedTip } from "../ui/DockedTip.svelte";
/** Takes files that are dropped on the page. */
export { default as DropTarget } from "../ui/DropTarget.svelte";
/** What is shown in place of cards, with the reason and what to do. */
export { default as EmptyState } from "../ui/EmptyState.svelte";
/** The list of a series' payloads, kept up to date. */
export { PayloadSource } from "../data/payload_source.svelte";
/** A text field. */
export { default as Field } from "../ui/Field.svelte";
/** A button that opens files. */
export { default as FileButton } from "../ui/FileButton.svelte";
/** An icon of the page's set. */
export { default as Icon } from "../ui/Icon.svelte";
/** A button with a menu. */
export { default as Menu } from "../ui/Menu.svelte";
/** The entries of a `Menu`. */
export type { MenuGroups } from "../ui/menu";
/** A button with fields and switches. */
export { default as Panel } from "../ui/Panel.svelte";
/** Chooses one of any number of values, with a filter. */
export { default as Picker } from "../ui/picker/Picker.svelte";
/** A panel beside what opened it. */
export { default as Popover } from "../ui/Popover.svelte";
/** The edge of a panel that changes its size. */
export { default as ResizeHandle } from "../ui/ResizeHandle.svelte";
/** Markdown with formulas, sanitised by the server. */
export { default as RichText } from "../ui/RichText.svelte";
/** Chooses one of the shown runs. */
export { default as RunPicker } from "../ui/RunPicker.svelte";
/** A slider over the steps of a series. */
export { default as StepSlider } from "../ui/StepSlider.svelte";
/** The tabs of a part of a dashboard. */
export { default as TabBar } from "../ui/TabBar.svelte";

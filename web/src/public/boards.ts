/** Cards and what surrounds them: grids, frames, menus, sliders and empty states. */

export * from "./hosted";
/** The state of each card in the address, for dashboards with one value per card. */
export { CardDeck } from "../ui/card_deck.svelte";
/** The menu for the number of columns. */
export { default as ColumnsMenu } from "../ui/ColumnsMenu.svelte";
/** A tooltip that is docked to a card. */
export { default as DockedTip } from "../ui/DockedTip.svelte";
/** What is shown in place of cards, with the reason and what to do. */
export { default as EmptyState } from "../ui/EmptyState.svelte";
/** Cards in sections and columns; mounts only those near the screen. */
export { default as CardGrid } from "../ui/CardGrid.svelte";
/** The list of a series' payloads, kept up to date. */
export { PayloadSource } from "../data/payload_source.svelte";
/** The state of each card in the address, as JSON. */
export { CardMemory } from "../ui/card_memory";
/** A text field, and one that filters tags. */
export { default as Field } from "../ui/Field.svelte";
/** The field that filters tags. */
export { default as TagField } from "../ui/TagField.svelte";
/** How many findings a tag has. */
export { default as HealthBadge } from "../ui/HealthBadge.svelte";
/** The findings of a tag, in a drawer. */
export { default as HealthDrawer } from "../ui/HealthDrawer.svelte";
/** An icon of the page's set. */
export { default as Icon } from "../ui/Icon.svelte";
/** Registers what covers the page, so that Escape closes the topmost. */
export { pushLayer } from "../ui/layers";
/** The frame of a card: title, buttons, content. */
export { default as MediaCard } from "../ui/MediaCard.svelte";
/** A button with a menu. */
export { default as Menu } from "../ui/Menu.svelte";
/** The entries of a `Menu`. */
export type { MenuGroups } from "../ui/menu";
/** A button with a panel. */
export { default as Popover } from "../ui/Popover.svelte";
/** Markdown with formulas, sanitised by the server. */
export { default as RichText } from "../ui/RichText.svelte";
/** Chooses one of the shown runs. */
export { default as RunPicker } from "../ui/RunPicker.svelte";
/** The slider for smoothing. */
export { default as Smoothing } from "../ui/Smoothing.svelte";
/** A slider over the steps of a series. */
export { default as StepSlider } from "../ui/StepSlider.svelte";

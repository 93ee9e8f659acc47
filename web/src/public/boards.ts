/** Cards and what surrounds them: grids, frames, menus, sliders and empty states. */

export * from "./hosted";
export { CardDeck } from "../ui/card_deck.svelte";
export { default as ColumnsMenu } from "../ui/ColumnsMenu.svelte";
export { default as DockedTip } from "../ui/DockedTip.svelte";
export { default as EmptyState } from "../ui/EmptyState.svelte";
export { default as CardGrid } from "../ui/CardGrid.svelte";
export { PayloadSource } from "../data/payload_source.svelte";
export { CardMemory } from "../ui/card_memory";
export { default as Field } from "../ui/Field.svelte";
export { default as TagField } from "../ui/TagField.svelte";
export { default as HealthBadge } from "../ui/HealthBadge.svelte";
export { default as HealthDrawer } from "../ui/HealthDrawer.svelte";
export { default as Icon } from "../ui/Icon.svelte";
export { pushLayer } from "../ui/layers";
export { default as MediaCard } from "../ui/MediaCard.svelte";
export { default as Menu } from "../ui/Menu.svelte";
export type { MenuGroups } from "../ui/menu";
export { default as Picker } from "../ui/picker/Picker.svelte";
export { default as Popover } from "../ui/Popover.svelte";
export { default as RichText } from "../ui/RichText.svelte";
export { default as RunPicker } from "../ui/RunPicker.svelte";
export { default as Smoothing } from "../ui/Smoothing.svelte";
export { default as StepSlider } from "../ui/StepSlider.svelte";

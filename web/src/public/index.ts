/** Everything a dashboard's view may use. What is not here is not for dashboards. */

export * from "./plugin";
export * from "./charts";
export { formatAxis, formatBytes, formatCount, formatSeconds, formatValue } from "../base/format";
export { byName, groupByPrefix, parseFilter, splitTag, type TagGroup } from "../base/tags";
export { atOrBefore, nearest, unionOf } from "../base/steps";
export { fetchExport, fetchJson, type ExportWish, type SeriesBlock } from "../data/api";
export { Latest } from "../data/latest";
export { fetchPayloads, payloadAddress, payloadQuery, type PayloadList } from "../data/payloads";
export { CardDeck, type CardWindow } from "../ui/card_deck.svelte";
export { default as CardSheet } from "../ui/CardSheet.svelte";
export { default as ColumnsMenu } from "../ui/ColumnsMenu.svelte";
export { default as DockedTip } from "../ui/DockedTip.svelte";
export { default as EmptyState } from "../ui/EmptyState.svelte";
export { default as CardGrid } from "../ui/CardGrid.svelte";
export type { CardSection } from "../ui/card_grid";
export { default as Field } from "../ui/Field.svelte";
export { default as HealthBadge } from "../ui/HealthBadge.svelte";
export { default as HealthDrawer } from "../ui/HealthDrawer.svelte";
export { default as Icon } from "../ui/Icon.svelte";
export { pushLayer } from "../ui/layers";
export { default as MediaCard } from "../ui/MediaCard.svelte";
export { default as Menu } from "../ui/Menu.svelte";
export type { MenuGroups, MenuItem } from "../ui/menu";
export { default as Popover } from "../ui/Popover.svelte";
export { default as Smoothing } from "../ui/Smoothing.svelte";
export { default as StepSlider } from "../ui/StepSlider.svelte";

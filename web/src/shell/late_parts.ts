/** Parts of the shell that the first screen does not show: one file, loaded when the browser is idle. */

export { default as EmptyState } from "./EmptyState.svelte";
export { default as KeySheet } from "./KeySheet.svelte";
export { default as MissingTab } from "./MissingTab.svelte";
export { default as Palette } from "./Palette.svelte";
export { default as ColourMenu } from "./runs/ColourMenu.svelte";
export { default as MetricMenu } from "./runs/MetricMenu.svelte";
export { default as RunEditor } from "./runs/RunEditor.svelte";
export { default as SettingsMenu } from "./SettingsMenu.svelte";

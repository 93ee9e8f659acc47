import type { TransitionConfig } from "svelte/transition";

/**
 * An out transition that never ends. Svelte pauses the effects of a block that is leaving and makes its element inert;
 * if the block returns, it is the same element, and the effects whose inputs changed run once. Thus a view that is
 * hidden requests and draws nothing, and is up to date when it is shown again.
 */
export function hold(element: HTMLElement): TransitionConfig {
  // Without an effect and a timeline, an animation neither ends nor makes the browser produce frames.
  element.animate = () => new Animation(null, null);
  return { delay: 1 };
}

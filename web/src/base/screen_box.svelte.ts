/** A box on the screen, measured again only after something scrolled or the window changed, or by what `measure` reads. */

import { createSubscriber } from "svelte/reactivity";

export function screenBox(measure: () => DOMRect): () => DOMRect {
  const subscribe = createSubscriber((update) => {
    addEventListener("scroll", update, { capture: true, passive: true });
    addEventListener("resize", update);
    return () => {
      removeEventListener("scroll", update, { capture: true });
      removeEventListener("resize", update);
    };
  });
  const box = $derived.by(() => {
    subscribe();
    return measure();
  });
  return () => box;
}

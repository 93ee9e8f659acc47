/** One observer for all measured elements of the page. */

const listeners = new WeakMap<Element, (height: number) => void>();
let observer: ResizeObserver | undefined;

/** Calls `listener` with the element's height, now and after every change. Returns an unsubscribe function. */
export function onHeight(element: HTMLElement, listener: (height: number) => void): () => void {
  observer ??= new ResizeObserver((changes) => {
    for (const { target } of changes) listeners.get(target)?.((target as HTMLElement).offsetHeight);
  });
  listeners.set(element, listener);
  observer.observe(element);
  return () => observer!.unobserve(element);
}

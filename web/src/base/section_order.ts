/** The order in which a person put sections. It is saved as keys; sections that appear later take their usual position. */

export type Move = "top" | "up" | "down" | "bottom";

/** All saved keys in their order; a key that is not saved follows its predecessor in `keys`, the usual order. */
export function mergeOrder(keys: readonly string[], saved: readonly string[]): string[] {
  const order = [...saved];
  const known = new Set(saved);
  keys.forEach((key, index) => {
    if (known.has(key)) return;
    const before = keys[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
  });
  return order;
}

/** `items` in the saved order. */
export function applyOrder<T>(items: readonly T[], keyOf: (item: T) => string, saved: readonly string[]): readonly T[] {
  if (saved.length === 0) return items;
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return mergeOrder([...byKey.keys()], saved).flatMap((key) => byKey.get(key) ?? []);
}

/** `order` with one key moved past its neighbour among the keys on the screen, or to an end. */
export function moveKey(order: readonly string[], onScreen: readonly string[], key: string, move: Move): string[] {
  const rest = order.filter((other) => other !== key);
  const at = onScreen.indexOf(key);
  const neighbour = { top: null, bottom: null, up: onScreen[at - 1], down: onScreen[at + 1] }[move];
  if (neighbour === undefined) return [...order];
  const target = { top: 0, bottom: rest.length, up: rest.indexOf(neighbour!), down: rest.indexOf(neighbour!) + 1 }[
    move
  ];
  return [...rest.slice(0, target), key, ...rest.slice(target)];
}

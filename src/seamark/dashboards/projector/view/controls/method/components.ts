/** Which components, or dimensions, are along which axis. */

export const AXES = ["x", "y", "z"] as const;

/** One for each axis: those that were chosen, then the first ones that are not taken. */
export function shownComponents(chosen: readonly number[], dims: number): number[] {
  const shown = [...new Set(chosen)].slice(0, dims);
  for (let next = 0; shown.length < dims; next += 1) if (!shown.includes(next)) shown.push(next);
  return shown;
}

/** Puts a component along an axis; the axis that had it gets the other one. Empty if these are the first ones. */
export function chooseComponent(shown: readonly number[], axis: number, component: number): number[] {
  const next = shown.map((one) => (one === component ? shown[axis]! : one));
  next[axis] = component;
  return next.every((one, at) => one === at) ? [] : next;
}

/** "12.3%" */
export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** "x and y explain 41.2% of the variance, all 10 components 80.1%." */
export function varianceText(variance: readonly number[], shown: readonly number[]): string {
  const sum = (shares: readonly number[]): number => shares.reduce((total, share) => total + share, 0);
  const names = AXES.slice(0, shown.length);
  const axes = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const explained = percent(sum(shown.map((component) => variance[component] ?? 0)));
  const all =
    variance.length > shown.length ? `, the first ${variance.length} components ${percent(sum(variance))}` : "";
  return `${axes} explain ${explained} of the variance${all}.`;
}

/** Finding by a few letters: every word must occur in order of letters; the tighter and earlier, the better. */

export interface Findable {
  readonly title: string;
}

/** Infinity when it does not match; else smaller is better. */
export function distance(title: string, query: string): number {
  const text = title.toLowerCase();
  let total = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const whole = text.indexOf(word);
    const cost =
      whole >= 0 ? whole * 0.02 + (whole === 0 || /[\s/_.:-]/.test(text[whole - 1]!) ? 0 : 2) : scattered(text, word);
    if (cost === Infinity) return Infinity;
    total += cost;
  }
  return total + text.length * 0.05;
}

function scattered(text: string, word: string): number {
  let at = -1;
  let first = -1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return Infinity;
    if (first < 0) first = at;
  }
  const spread = at - first + 1 - word.length;
  return spread > word.length * 4 ? Infinity : 20 + spread;
}

/** Pages first, and what moves along the list of runs last: its keys are of use, its commands are hardly. */
function rank({ title }: Findable): number {
  if (title.startsWith("Open ")) return 0;
  return /^Runs: (next|previous)/.test(title) ? 2 : 1;
}

/** What is offered before anything is typed. */
export const suggestions = <T extends Findable>(commands: readonly T[], limit: number): T[] =>
  [...commands].sort((a, b) => rank(a) - rank(b)).slice(0, limit);

export function find<T extends Findable>(entries: readonly T[], query: string, limit: number): T[] {
  if (query.trim() === "") return entries.slice(0, limit);
  return entries
    .map((entry) => ({ entry, cost: distance(entry.title, query) }))
    .filter(({ cost }) => cost !== Infinity)
    .sort((a, b) => a.cost - b.cost)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

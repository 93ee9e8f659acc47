/** What the second pane shows at first: something else than the first one. */

import type { EmbeddingEntry, EmbeddingRef, MethodName } from "../wire";

export interface PaneChoice {
  readonly ref: EmbeddingRef;
  /** Set if only another method makes the panes differ. */
  readonly method: MethodName | null;
}

/** Another step, the same embedding of another run, another embedding, or the same one by another method: the first that there is. */
export function otherPane(
  entries: readonly EmbeddingEntry[],
  entry: EmbeddingEntry,
  ref: EmbeddingRef,
  { method, shown }: { readonly method: MethodName; readonly shown: readonly string[] },
): PaneChoice {
  const { steps } = entry;
  const isLast = steps.at(-1)?.name === ref.name;
  const step = steps.length > 1 ? (isLast ? steps[0] : steps.at(-1)) : undefined;
  if (step) return { ref: { run: entry.run, name: step.name }, method: null };
  const others = entries.filter((one) => one.run !== entry.run || one.name !== entry.name);
  const sameTitle = others.filter(({ run, title }) => run !== entry.run && title === entry.title);
  const other =
    sameTitle.find(({ run }) => shown.includes(run)) ??
    sameTitle[0] ??
    others.find(({ run }) => run === entry.run) ??
    others[0];
  if (other) return { ref: { run: other.run, name: other.name }, method: null };
  return { ref, method: method === "pca" ? "umap" : "pca" };
}

/** The rows that share least of their neighbours, least first; what is not known is left out. */
export function leastShared(shared: Float32Array, limit: number): number[] {
  const found: number[] = [];
  for (let row = 0; row < shared.length; row += 1) {
    const share = shared[row]!;
    if (Number.isNaN(share) || (found.length === limit && share >= shared[found.at(-1)!]!)) continue;
    let at = found.length;
    while (at > 0 && shared[found[at - 1]!]! > share) at -= 1;
    found.splice(at, 0, row);
    if (found.length > limit) found.pop();
  }
  return found;
}

/** "62%". 0 and 100 are exact. */
export function percentText(share: number): string {
  if (Number.isNaN(share)) return "";
  const percent = Math.round(100 * share);
  if (percent === 0 && share > 0) return "<\u00a01%";
  return percent === 100 && share < 1 ? ">\u00a099%" : `${percent}%`;
}

const METHOD_TITLES: Readonly<Record<MethodName, string>> = {
  pca: "PCA",
  tsne: "t-SNE",
  umap: "UMAP",
  axes: "Custom axes",
  raw: "Raw dimensions",
  random: "Random projection",
};

export const methodTitle = (method: MethodName): string => METHOD_TITLES[method];

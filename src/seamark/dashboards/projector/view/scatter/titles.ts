/** The names of the axes with the share of the variance that each explains. */

import { percent, shownComponents } from "../controls/method/components";
import type { Method, Projection } from "../wire";

/** One for each axis; empty where axes mean nothing, as for t-SNE and UMAP. */
export function axisTitles(
  { titles, variance }: Pick<Projection, "titles" | "variance">,
  { components, dims }: Pick<Method, "components" | "dims">,
): string[] {
  if (titles.length === 0) return [];
  return shownComponents(components, dims).map((component, axis) => {
    const title = (titles.length > dims ? titles[component] : titles[axis]) ?? "";
    const share = variance[component];
    if (share === undefined) return title;
    // Along the edges of the picture there is space for words; at the ends of three axes there is not.
    return `${title} · ${percent(share)}${dims === 3 ? "" : " of the variance"}`;
  });
}

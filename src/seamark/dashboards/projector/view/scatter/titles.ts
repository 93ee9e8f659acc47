/** The names of the axes with the share of the variance that each explains. */

import type { Projection } from "../wire";

/** Empty where axes mean nothing, as for t-SNE and UMAP. */
export function axisTitles({ titles, variance }: Pick<Projection, "titles" | "variance">): string[] {
  return titles.map((title, axis) => {
    const share = variance[axis];
    return share === undefined ? title : `${title} · ${(share * 100).toFixed(1)}% of the variance`;
  });
}

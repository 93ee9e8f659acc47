/** Marks that other parts of the page draw into Explore: the edited point, its counterfactual and its neighbours. */

/**
 * - `edited`: `row` with other values. Explore draws the row hollow at its old position, and an arrow to the new one.
 * - `counterfactual` and `neighbour`: another row; a dashed line leads to the counterfactual.
 */
export interface ExploreMark {
  readonly type: "edited" | "counterfactual" | "neighbour";
  readonly row: number;
  /**
   * Values that differ from those of the row, by column, also computed ones such as `=score`: numbers, or names of a
   * category. Columns that are missing here have the value of the row.
   */
  readonly values?: Readonly<Record<string, number | boolean | string | null>>;
  /** On the plot, such as "counterfactual, row 7,061". */
  readonly label?: string;
  /** At 400 pixels. */
  readonly shortLabel?: string;
}

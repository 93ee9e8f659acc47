/** Types that several results share, and the schema of a set. The same types as in Python. */

/** A condition of a slice: one of `values`, or a range of numbers. `label` is what people read: "age 25 to 65". */
export interface Condition {
  readonly column: string;
  readonly values?: readonly string[];
  readonly at_least?: number | null;
  readonly below?: number | null;
  readonly label?: string;
}

/** A share of `of` rows with its 95 % interval (Wilson). All three are None if there are no rows. */
export interface Rate {
  readonly count: number;
  readonly of: number;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The difference of two rates or means with its 95 % interval. */
export interface Difference {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface ColumnSchema {
  readonly name: string;
  readonly type: "number" | "category" | "boolean" | "text" | "image";
  readonly role?: "feature" | "truth" | "prediction" | "id" | "split" | "weight" | "group" | "ignored";
  readonly model?: string;
  readonly predicted_class?: string;
}

export interface Schema {
  readonly columns: readonly ColumnSchema[];
  readonly task?: "binary" | "multiclass" | "regression" | "ranking";
  readonly target?: string;
  readonly positive?: string;
}

/** Statistics of features. The same types as in Python. */

export interface NamedCount {
  readonly name: string;
  readonly count: number;
  readonly other: number;
}

export interface FeatureFlag {
  readonly code: "missing" | "zeros" | "constant" | "skewed" | "many_values" | "drift" | "leakage" | "imbalanced";
  readonly text: string;
}

export interface FeatureStatistics {
  readonly name: string;
  readonly type: string;
  readonly rows: number;
  readonly missing: number;
  readonly zeros: number;
  readonly distinct: number;
  readonly mean: number | null;
  readonly deviation: number | null;
  readonly quantiles: readonly number[];
  readonly edges: readonly number[];
  readonly histogram: readonly number[];
  readonly other_histogram: readonly number[];
  readonly top: readonly NamedCount[];
  readonly longest: number;
  readonly skewness: number | null;
  readonly truth_strength: number | null;
  readonly drift: number | null;
  readonly drift_p: number | null;
  readonly flags: readonly FeatureFlag[];
}

export interface FeaturesResult {
  readonly rows: number;
  readonly other_rows: number;
  readonly features: readonly FeatureStatistics[];
  readonly notes: readonly string[];
}

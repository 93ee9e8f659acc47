/** The numbers below a feature's small chart, one line for each subject. */

import { format } from "$public/core";
import { cellText } from "$public/tables";
import { percent } from "../performance/texts";
import type { FeatureStatistics } from "../../wire";

const NAMED_VALUES = 3;
/** Of `quantiles`; the smallest and the largest value are at the ends of the chart. */
const QUANTILES = ["", "5%", "25%", "median", "75%", "95%"];

export function factsOf(feature: FeatureStatistics): readonly string[] {
  const { mean, deviation, skewness, rows, missing, zeros, drift } = feature;
  const share = (count: number): string => percent(count / Math.max(1, rows));
  const isNumber = feature.type === "number";
  const lines = [
    [
      mean === null ? "" : `mean ${text(mean)} ± ${text(deviation)}`,
      isNumber && skewness !== null ? `skew ${text(Number(skewness.toFixed(1)))}` : "",
      isNumber ? "" : format.counted(feature.distinct, "value"),
      missing > 0 ? `${share(missing)} missing` : "",
      isNumber && zeros > 0 ? `${share(zeros)} zero` : "",
      drift === null ? "" : `drift ${drift.toFixed(2)}`,
    ],
    isNumber
      ? feature.quantiles.map((value, i) => (QUANTILES[i] ? `${QUANTILES[i]}\u00a0${text(value)}` : ""))
      : feature.top
          .filter(({ name }) => name !== "")
          .slice(0, NAMED_VALUES)
          .map(({ name, count }) => `${name} ${share(count)}`),
  ];
  return lines.map((parts) => parts.filter(Boolean).join(" · ")).filter(Boolean);
}

const text = (value: number | null): string => (value === null ? "n/a" : cellText.number(value));

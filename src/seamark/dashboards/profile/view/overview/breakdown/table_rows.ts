/** The rows of the breakdown table: one step beside the mean. */

import { inUnit, percentText, type TimeUnit } from "../../numbers";
import { PART_STYLES } from "../../parts";
import { BREAKDOWN_PARTS, type Breakdown, type BreakdownPart } from "../../wire";

export interface PartRow {
  readonly part: BreakdownPart;
  readonly label: string;
  readonly colour: string;
  /** "" while no step is chosen. */
  readonly step: string;
  readonly mean: string;
  readonly share: string;
  /** Much longer in this step than on average. */
  readonly isHot: boolean;
}

const HOT_FACTOR = 1.5;
const HOT_SHARE = 0.05;

/** `meanNs`: the mean step. Nothing at all is "–". */
export function partRows(mean: Breakdown, step: Breakdown | null, meanNs: number, unit: TimeUnit): PartRow[] {
  const text = (ns: number): string => (ns > 0 ? inUnit(ns, unit) : "–");
  return BREAKDOWN_PARTS.map((part) => {
    const [own, average] = [step?.[part] ?? 0, mean[part] ?? 0];
    return {
      part,
      label: PART_STYLES[part].label,
      colour: PART_STYLES[part].colour,
      step: step ? text(own) : "",
      mean: text(average),
      share: meanNs > 0 ? percentText(average / meanNs) : "n/a",
      isHot: own > average * HOT_FACTOR && own - average > meanNs * HOT_SHARE,
    };
  });
}

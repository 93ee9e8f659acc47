/** What the chosen strategy costs more than the best one, in a sentence. */

import type { StrategyResult } from "../../../wire";
import { STRATEGIES, type Strategy } from "../../../performance/performance_model.svelte";

const titleOf = (strategy: Strategy): string => STRATEGIES.find(([name]) => name === strategy)?.[1] ?? strategy;

export function priceSentence(strategy: Strategy, results: readonly StrategyResult[]): string {
  const cost = results.find((one) => one.strategy === strategy)?.cost ?? null;
  const best = results.find((one) => one.strategy === "per_group")?.cost ?? null;
  if (cost === null || best === null || strategy === "per_group" || results[0]?.thresholds.length === 1) return "";
  const more = Math.round(cost) - Math.round(best);
  if (more <= 0) return `${titleOf(strategy)} costs no more than the best thresholds of each group.`;
  return `${titleOf(strategy)} costs ${more} more than the best thresholds of each group.`;
}

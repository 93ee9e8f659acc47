/** Findings in words, and the address of their proof. */

import { format } from "$public/core";
import { percentText, timeText } from "../../numbers";
import type { Finding, Findings } from "../../wire";

/** "−14.2%"; a risk, such as memory that is nearly full, gains no time. */
export const gainText = ({ gain }: Finding): string => (gain > 0 ? percentText(-gain) : "risk");

/** "30.1 ms a step" */
export const gainTimeText = ({ gain_ns }: Finding): string =>
  gain_ns > 0 ? `${timeText(gain_ns, 3)} a step` : "no time to gain";

const MAX_MARKED = 200;

/** As the parameters of Trace: the slices that are marked, and the window that shows them. */
export function evidenceParameters({ evidence }: Finding): Record<string, string> {
  return {
    marked: evidence.slices.slice(0, MAX_MARKED).join(","),
    start: String(evidence.start_ns),
    end: String(evidence.end_ns),
  };
}

/** "15 rules found nothing" */
export function silentRules({ findings, checked }: Findings): string {
  if (checked === 0) return "No rule has what it needs in this trace";
  const codes = new Set(findings.map(({ code }) => code)).size;
  const silent = Math.max(0, checked - codes);
  return silent === 1 ? "1 rule found nothing" : `${format.count(silent)} rules found nothing`;
}

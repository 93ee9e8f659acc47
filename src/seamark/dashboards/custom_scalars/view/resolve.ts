/** From a chart to the tags it draws; what keeps some of it from being drawn is a sentence. */

import type { Chart, MarginSeries } from "./model";
import type { PatternMatch as Match } from "./wire_types";

export type { Match };

export interface Resolved {
  readonly tags: readonly string[];
  /** Of a margin chart: those whose value is logged. A bound that is not is "". */
  readonly series: readonly MarginSeries[];
  readonly problems: readonly string[];
  /** What its patterns find is not known yet. */
  readonly waiting: boolean;
  /** How many tags are left out because a chart of them all helps nobody. */
  readonly left: number;
}

export const MAX_TAGS = 50;
const NOTHING: Resolved = { tags: [], series: [], problems: [], waiting: false, left: 0 };

export function resolve(
  chart: Chart,
  matchOf: (pattern: string) => Match | undefined,
  isLogged: (tag: string) => boolean,
): Resolved {
  if (chart.kind === "lines") return lines(chart.patterns, matchOf, isLogged);
  if (chart.kind === "margin") return margins(chart.series, isLogged);
  return { ...NOTHING, problems: ["The chart has neither lines nor margins."] };
}

function lines(
  patterns: readonly string[],
  matchOf: (pattern: string) => Match | undefined,
  isLogged: (tag: string) => boolean,
): Resolved {
  if (patterns.length === 0) return { ...NOTHING, problems: ["The chart names no tags."] };
  const tags = new Set<string>();
  const problems: string[] = [];
  let waiting = false;
  for (const pattern of patterns) {
    const match = matchOf(pattern);
    if (!match) waiting = true;
    else if (match.error !== undefined) problems.push(`“${pattern}”: ${match.error}.`);
    else match.tags?.filter(isLogged).forEach((tag) => tags.add(tag));
  }
  const all = [...tags];
  return { ...NOTHING, tags: all.slice(0, MAX_TAGS), left: Math.max(0, all.length - MAX_TAGS), problems, waiting };
}

const PARTS = ["value", "lower", "upper"] as const;

function margins(given: readonly MarginSeries[], isLogged: (tag: string) => boolean): Resolved {
  if (given.length === 0)
    return { ...NOTHING, problems: ["The chart has no series: a margin needs a value, a lower and an upper tag."] };
  const problems: string[] = [];
  const series = given.flatMap((entry, index) => {
    const unnamed = PARTS.filter((part) => entry[part] === "");
    const absent = PARTS.filter((part) => entry[part] !== "" && !isLogged(entry[part]));
    const which = given.length > 1 ? `Series ${index + 1}: ` : "";
    if (unnamed.length > 0) problems.push(`${which}${which ? "no" : "No"} tag is given for ${unnamed.join(" and ")}.`);
    if (absent.length > 0)
      problems.push(
        `${which}${which ? "no" : "No"} run logs ${absent.map((part) => `“${entry[part]}” (${part})`).join(" and ")}.`,
      );
    const bound = (part: "lower" | "upper"): string => (absent.includes(part) ? "" : entry[part]);
    return entry.value === "" || absent.includes("value")
      ? []
      : [{ value: entry.value, lower: bound("lower"), upper: bound("upper") }];
  });
  const tags = [...new Set(series.flatMap(({ value, lower, upper }) => [value, lower, upper]))].filter(
    (tag) => tag !== "",
  );
  return { ...NOTHING, tags, series, problems };
}

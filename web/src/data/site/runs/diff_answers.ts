/** What differs between runs, put together from what each contributes. */

import type { DiffAnswer, DiffMetric, DiffRow } from "../../run";
import { errorResponse, jsonResponse, type SiteRequest } from "../site_request";

type Value = string | number | boolean;

interface RunPart {
  readonly sections: Readonly<Record<string, Readonly<Record<string, Value>>>>;
  readonly metrics: Readonly<Record<string, MetricOfRun>>;
  readonly git_diff: string | null;
}

interface MetricOfRun extends Pick<DiffMetric, "goal" | "is_result"> {
  readonly final: DiffMetric["final"][number];
  readonly final_step: number;
  readonly best: DiffMetric["best"][number];
  readonly best_step: number;
}

const NO_DIVERGENCE = "where the curves diverge is found by a running server only";

export async function diff({ files, body }: SiteRequest): Promise<Response> {
  const { runs } = body as { runs: readonly string[] };
  const parts = await Promise.all(runs.map((run) => files.json<RunPart>(`diff\0${run}`)));
  const missing = runs.find((_, at) => parts[at] === null);
  if (missing !== undefined) return errorResponse(`there is no run '${missing}'`, 404, "not_found");
  const found = parts as readonly RunPart[];
  const answer: DiffAnswer = {
    runs,
    sections: sectionsOf(found),
    metrics: metricsOf(found),
    tags_left_out: 0,
    git_diffs: found.map(({ git_diff }) => git_diff),
    problems: [],
  };
  return jsonResponse(answer);
}

const namesOf = (parts: readonly Readonly<Record<string, unknown>>[]): string[] => [
  ...new Set(parts.flatMap((part) => Object.keys(part))),
];

function sectionsOf(parts: readonly RunPart[]): DiffAnswer["sections"] {
  return namesOf(parts.map(({ sections }) => sections))
    .map((name) => {
      const own = parts.map(({ sections }) => sections[name] ?? {});
      const rows = namesOf(own).map((key) => rowOf(key, own.map((values) => values[key] ?? null))); // prettier-ignore
      return { name, rows };
    })
    .filter(({ rows }) => rows.length > 0);
}

/** The state is as seen from the first run. */
function rowOf(key: string, values: DiffRow["values"]): DiffRow {
  const [first, ...others] = values;
  if (others.every((value) => value === first)) return { key, values, state: "same" };
  if (first === null) return { key, values, state: "added" };
  return { key, values, state: others.every((value) => value === null) ? "removed" : "changed" };
}

/** The metrics that most of the runs have. */
function metricsOf(parts: readonly RunPart[]): DiffMetric[] {
  const tags = namesOf(parts.map(({ metrics }) => metrics)).sort();
  return tags
    .map((tag) => ({ tag, own: parts.map(({ metrics }) => metrics[tag]) }))
    .filter(({ own }) => own.filter(Boolean).length * 2 > own.length)
    .map(({ tag, own }) => ({
      tag,
      goal: own.find(Boolean)?.goal ?? "min",
      is_result: own.some((one) => one?.is_result ?? false),
      final: own.map((one) => one?.final ?? null),
      final_step: own.map((one) => one?.final_step ?? null),
      best: own.map((one) => one?.best ?? null),
      best_step: own.map((one) => one?.best_step ?? null),
      divergence: null,
      divergences: own.map(() => null),
      note: NO_DIVERGENCE,
    }));
}

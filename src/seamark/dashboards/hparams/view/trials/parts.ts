/** Keras notes the hyperparameters of a fit in one run, and what it measures in `train` and `validation` below it: parts of one trial. */

/** Each part with its trial. No plain object: a run may be called "constructor". */
export type TrialOf = ReadonlyMap<string, string>;

/** Each of them a trial of its own. */
export const EVERY = "every";
/** What stands for a trial when nobody chose: rather what it was not trained on. */
const USUAL = ["validation", "val", "valid", "eval", "test", "train"];

const placeOf = (part: string): number => (USUAL.includes(part) ? USUAL.indexOf(part) : USUAL.length);
const inOrder = (parts: Iterable<string>): string[] =>
  [...parts].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
const partOf = (run: string, trialOf: TrialOf): string => run.slice(trialOf.get(run)!.length + 1);

export const partNames = (trialOf: TrialOf): string[] =>
  inOrder(new Set([...trialOf.keys()].map((run) => partOf(run, trialOf))));

/** The rows that stand for their trials: those of this part, of another where a trial does not have it. */
export function standIns(runs: readonly string[], trialOf: TrialOf, part: string): number[] {
  const rows = [...runs.keys()];
  if (part === EVERY) return rows;
  const parts = new Map<string, string[]>();
  for (const run of runs) {
    const trial = trialOf.get(run);
    if (trial !== undefined) parts.set(trial, [...(parts.get(trial) ?? []), partOf(run, trialOf)]);
  }
  const chosen = new Map([...parts].map(([trial, names]) => [trial, names.includes(part) ? part : inOrder(names)[0]!]));
  return rows.filter((row) => {
    const run = runs[row]!;
    const trial = trialOf.get(run);
    return trial === undefined ? !parts.has(run) : chosen.get(trial) === partOf(run, trialOf);
  });
}

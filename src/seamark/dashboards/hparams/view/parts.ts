/** Keras notes the hyperparameters of a fit in one run, and what it measures in `train` and `validation` below it: parts of one trial. */

/** Each part with its trial. No plain object: a run may be called "constructor". */
export type Heirs = ReadonlyMap<string, string>;

/** Each of them a trial of its own. */
export const EVERY = "every";
/** What stands for a trial when nobody chose: rather what it was not trained on. */
const USUAL = ["validation", "val", "valid", "eval", "test", "train"];

const placeOf = (part: string): number => (USUAL.includes(part) ? USUAL.indexOf(part) : USUAL.length);
const inOrder = (parts: Iterable<string>): string[] => [...parts].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
const partOf = (run: string, heirs: Heirs): string => run.slice(heirs.get(run)!.length + 1);

export const partNames = (heirs: Heirs): string[] => inOrder(new Set([...heirs.keys()].map((run) => partOf(run, heirs))));

/** The rows that stand for their trials: those of this part, of another where a trial does not have it. */
export function standIns(runs: readonly string[], heirs: Heirs, part: string): number[] {
  const rows = [...runs.keys()];
  if (part === EVERY) return rows;
  const parts = new Map<string, string[]>();
  for (const run of runs) {
    const trial = heirs.get(run);
    if (trial !== undefined) parts.set(trial, [...(parts.get(trial) ?? []), partOf(run, heirs)]);
  }
  const chosen = new Map([...parts].map(([trial, names]) => [trial, names.includes(part) ? part : inOrder(names)[0]!]));
  return rows.filter((row) => {
    const run = runs[row]!;
    const trial = heirs.get(run);
    return trial === undefined ? !parts.has(run) : chosen.get(trial) === partOf(run, heirs);
  });
}

/** What trials are judged by: what the server found or a person chose, and what to ask where that is not certain. */

import { columnIds, type Candidate, type ColumnInfo, type Goal, type ObjectiveChoice } from "$public/tables";
import { cellAt, MISSING, type TrialColumn } from "../columns/columns";

export interface Objective {
  readonly id: string;
  readonly tag: string;
  readonly goal: Goal;
  /** Why it is this one, in a sentence. */
  readonly reason: string;
}

/** What a person is asked: `options` are objectives to choose from. */
export interface Question {
  readonly reason: string;
  readonly options: readonly { readonly id: string; readonly goal: Goal }[];
}

export interface Judged {
  readonly objective: Objective | null;
  readonly question: Question | null;
  /** A column that was chosen, but not which end of it is the better one. */
  readonly undecided: string | null;
}

export interface Chosen {
  readonly id: string | undefined;
  readonly goal: string | undefined;
}

export const NO_CHOICE: ObjectiveChoice = { objective: null, candidates: [], reason: "", ranked: [] };

type Columns = ReadonlyMap<string, ColumnInfo>;
const isGoal = (word: string | undefined | null): word is Goal => word === "min" || word === "max";

export function judge(choice: ObjectiveChoice, columns: Columns, chosen: Chosen): Judged {
  const isChosen = chosen.id !== undefined && columnIds.info(columns, chosen.id) !== undefined;
  const id = isChosen ? chosen.id! : choice.objective?.id;
  if (id === undefined)
    return {
      objective: null,
      question: choice.candidates.length > 0 ? { reason: choice.reason, options: optionsOf(choice.candidates) } : null,
      undecided: null,
    };
  const goal = isGoal(chosen.goal) ? chosen.goal : knownGoal(choice, columns, id);
  if (goal === null)
    return {
      objective: null,
      question: { reason: "It is unknown which value is better", options: optionsOf([{ id, goal: "", part: "" }]) },
      undecided: id,
    };
  const isStated = id === choice.objective?.id && goal === choice.objective.goal;
  return {
    objective: { id, tag: columnIds.parse(id).name, goal, reason: isStated ? choice.reason : "You chose it" },
    question: null,
    undecided: null,
  };
}

/** The better end of a column, or null where nobody says it. */
export function knownGoal(choice: ObjectiveChoice, columns: Columns, id: string): Goal | null {
  const stated = [choice.objective, ...choice.candidates].find((one) => one?.id === id)?.goal;
  const listed = columnIds.info(columns, id)?.goal;
  return isGoal(stated) ? stated : isGoal(listed) ? listed : null;
}

const optionsOf = (candidates: readonly Candidate[]): Question["options"] =>
  candidates.flatMap(({ id, goal }) =>
    isGoal(goal) ? [{ id, goal }] : (["min", "max"] as const).map((each) => ({ id, goal: each })),
  );

/** "val/loss, lowest" */
export const objectiveWords = ({ id, goal }: { readonly id: string; readonly goal: Goal }): string =>
  `${columnIds.title(id)}, ${goal === "min" ? "lowest" : "highest"}`;

/** Of a trial that never is the best one, whatever it measured: as run_record.WITHOUT_RESULT. */
export const WITHOUT_RESULT: ReadonlySet<unknown> = new Set(["pruned", "failed", "crashed"]);

/** 1 where the trial ended without a result. */
export function withoutResult(statuses: TrialColumn | undefined, rows: number): Uint8Array {
  return Uint8Array.from({ length: rows }, (_, row) => (statuses && WITHOUT_RESULT.has(cellAt(statuses, row)) ? 1 : 0));
}

/** The column as judging sees it: blank where a trial has no result. */
export function onlyResults(column: TrialColumn, isOut: Uint8Array): TrialColumn {
  return isOut.includes(1)
    ? { ...column, states: column.states.map((state, row) => (isOut[row] === 1 ? MISSING : state)) }
    : column;
}

/** What can be done with one run. */

import type { RunNotes } from "../../data/api";
import type { MenuGroups } from "../../ui/menu";
import type { Url } from "../url.svelte";
import type { Runs } from "./runs.svelte";

/** As many as are compared at once; more cannot be read side by side. */
export const MAX_COMPARED = 20;

/** This run first, as the one that the others are measured against, and then those that are shown. */
export const comparedWith = (run: string, { shownRows }: Pick<Runs, "shownRows">): string[] =>
  [run, ...shownRows.filter((other) => other !== run)].slice(0, MAX_COMPARED);

interface Around {
  readonly runs: Runs;
  readonly url: Url;
  readonly notes: RunNotes;
  readonly edit: () => void;
  /** Whether the person may change what is saved of runs. */
  readonly canChange: boolean;
}

export function menuFor(run: string, { runs, url, notes, edit, canChange }: Around): MenuGroups {
  const copy = (text: string) => () => void navigator.clipboard?.writeText(text);
  const isFocused = runs.focused === run;
  const compared = comparedWith(run, runs);
  return [
    [
      { title: "Open run page", hint: "Shift O", run: () => url.open({ page: "run", run }) },
      ...(compared.length < 2
        ? []
        : [
            {
              title: `Compare shown runs (${compared.length})`,
              hint: "Shift D",
              run: () => url.open({ page: "compare", runs: compared }),
            },
          ]),
    ],
    [
      { title: isFocused ? "No focus" : "Focus", hint: "F", run: () => runs.setFocus(isFocused ? null : run) },
      { title: "Only this", hint: "Shift F", run: () => runs.showOnly([run]) },
    ],
    !canChange
      ? []
      : [
          {
            title: notes.star ? "Remove the star" : "Star",
            hint: "*",
            run: () => runs.note(run, { star: notes.star ? null : true }),
          },
          { title: "Rename, note, colour…", hint: "R", run: edit },
          {
            title: notes.hidden ? "Unhide" : "Hide from the table",
            run: () => runs.note(run, { hidden: notes.hidden ? null : true }),
          },
        ],
    [
      { title: "Copy the path", hint: "C", run: copy(runs.pathOf(run)) },
      { title: "Copy the name", run: copy(run) },
    ],
  ];
}

/** What can be done with one run. */

import type { RunNotes } from "../../data/api";
import type { MenuGroups } from "../../ui/menu";
import type { Runs } from "./runs.svelte";

export function menuFor(run: string, { runs, notes, edit }: { runs: Runs; notes: RunNotes; edit: () => void }): MenuGroups {
  const copy = (text: string) => () => void navigator.clipboard?.writeText(text);
  const isFocused = runs.focused === run;
  return [
    [
      { title: isFocused ? "No focus" : "Focus", hint: "F", run: () => runs.setFocus(isFocused ? null : run) },
      { title: "Only this", hint: "Shift F", run: () => runs.showOnly([run]) },
    ],
    [
      { title: notes.star ? "Remove the star" : "Star", hint: "*", run: () => runs.note(run, { star: notes.star ? null : true }) },
      { title: "Rename, note, colour…", hint: "R", run: edit },
      { title: notes.hidden ? "Take out of hiding" : "Hide from the table", run: () => runs.note(run, { hidden: notes.hidden ? null : true }) },
    ],
    [
      { title: "Copy the path", hint: "C", run: copy(runs.pathOf(run)) },
      { title: "Copy the name", run: copy(run) },
    ],
  ];
}

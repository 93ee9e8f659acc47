/** How a change goes into the document of names and notes: as the server does it. */

import type { RunNotes, StateChange, StateDocument } from "./api";

export function merged(document: StateDocument, change: StateChange): StateDocument {
  const runs: Record<string, RunNotes> = { ...document.runs };
  for (const [run, fields] of Object.entries(change.runs ?? {})) {
    const kept = Object.entries({ ...runs[run], ...fields }).filter(([, value]) => value !== null);
    if (kept.length === 0) delete runs[run];
    else runs[run] = Object.fromEntries(kept) as RunNotes;
  }
  const views = Object.fromEntries(
    Object.entries({ ...document.views, ...change.views }).filter(([, view]) => view !== null),
  );
  return { ...document, runs, pins: change.pins ?? document.pins, views };
}

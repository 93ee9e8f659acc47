/** Sets as people choose them, and sentences about models. */

import { format } from "$public/core";
import type { InfoResponse, ModelEntry, SetEntry } from "../wire";

export const setKey = ({ run, name }: SetEntry): string => JSON.stringify([run, name]);

/** The run is named only where several runs have sets. */
export function setLabel(entry: SetEntry, entries: readonly SetEntry[], runLabel: (run: string) => string): string {
  const hasRuns = new Set(entries.map(({ run }) => run)).size > 1;
  return hasRuns && entry.run !== "" ? `${entry.title} · ${runLabel(entry.run)}` : entry.title;
}

const SOURCES: Readonly<Record<ModelEntry["source"], string>> = {
  columns: "Predictions are stored in the data",
  logged: "Predictions were logged by the run",
  process: "Model runs in a process of its own",
  http: "Model is called over HTTP",
};

/** "Model runs in a process of its own, 0.9 ms a row." */
export function modelSentence({ source, row_ms, progress, note }: ModelEntry): string {
  const time = row_ms === null ? "" : `, ${format.microseconds(row_ms * 1000)} a row`;
  const state = progress < 1 ? ` ${Math.floor(progress * 100)}% of the rows are predicted.` : "";
  return `${SOURCES[source]}${time}.${state}${note === "" ? "" : ` ${note}`}`;
}

/** What makes this set predictable, as a line to copy; "" if its model can predict. */
export function predictLine(entry: SetEntry, info: InfoResponse): string {
  if (info.models.some((model) => model.can_predict)) return "";
  const file = fileOf(entry);
  return file === ""
    ? "seamark --logdir LOGDIR --allow_predict model.py:predict"
    : `seamark whatif ${quoted(file)} --predict model.py:predict`;
}

/** The file of a set as its user names it: below the log directory, or as it was opened; "" for a logged set. */
function fileOf({ run, name, title }: SetEntry): string {
  if (name.startsWith("logged:")) return "";
  const isInRun = run !== "" && name === `file:${title}`;
  return isInRun ? `${run}/${title}` : title;
}

const quoted = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

/** The last line of a traceback, which has the error. */
export const lastLine = (traceback: string): string => traceback.trim().split("\n").at(-1) ?? "";

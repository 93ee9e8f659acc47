/** Which runs are checked: all but some, or none but some. It is as long as what a person did, not as the list of runs. */

export interface Selection {
  /** Runs that are not named below, also those that are yet to come. */
  readonly others: boolean;
  readonly except: ReadonlySet<string>;
}

export const ALL: Selection = { others: true, except: new Set() };
export const NO_RUN: Selection = { others: false, except: new Set() };

export const isChecked = (selection: Selection, run: string): boolean => selection.except.has(run) !== selection.others;

/** A part of a row is checked as the row is, unless the address names it. */
export const isPartChecked = ({ others, except }: Selection, name: string, row: string): boolean =>
  (except.has(name) || except.has(row)) !== others;

export function check(selection: Selection, runs: Iterable<string>, wanted: boolean): Selection {
  const except = new Set(selection.except);
  for (const run of runs) {
    if (wanted === selection.others) except.delete(run);
    else except.add(run);
  }
  return { others: selection.others, except };
}

/** Nothing but these. */
export const only = (runs: Iterable<string>): Selection => ({ others: false, except: new Set(runs) });

/** Nothing but these, said by naming those or, where that is shorter, all others. */
export function fewest(runs: readonly string[], all: readonly string[]): Selection {
  const wanted = new Set(runs);
  const others = all.filter((run) => !wanted.has(run));
  return others.length > 0 && others.length < wanted.size ? { others: true, except: new Set(others) } : only(runs);
}

export function invert(selection: Selection, runs: Iterable<string>): Selection {
  const listed = [...runs];
  const on = listed.filter((run) => isChecked(selection, run));
  const off = listed.filter((run) => !isChecked(selection, run));
  return check(check(selection, on, false), off, true);
}

/** Of names that were picked, those that are still there; all of them as long as it is not known what is (null). */
export const stillThere = (picked: ReadonlySet<string>, there: ReadonlySet<string> | null): ReadonlySet<string> =>
  there === null ? picked : new Set([...picked].filter((name) => there.has(name)));

/** "-a,b": all but a and b. "a,b": none but those. Commas and backslashes in names are escaped. */
export function writeSelection(selection: Selection): string | undefined {
  if (selection.others && selection.except.size === 0) return undefined;
  return (selection.others ? "-" : "") + joinNames([...selection.except].sort());
}

export function readSelection(text: string | undefined): Selection {
  if (text === undefined) return ALL;
  const others = text.startsWith("-");
  const names = splitNames(others ? text.slice(1) : text);
  return { others, except: new Set(names) };
}

/** Names in one text, commas between them. */
export const joinNames = (names: Iterable<string>): string => [...names].map(escape).join(",");

// A name may begin with the sign that means "all but".
const escape = (name: string): string => name.replace(/[\\,]|^-/g, "\\$&");

export function splitNames(text: string): string[] {
  return text === ""
    ? []
    : [...text.matchAll(/((?:\\.|[^\\,])*)(?:,|$)/gs)]
        .slice(0, text.endsWith(",") && !text.endsWith("\\,") ? undefined : -1)
        .map(([, name]) => name!.replace(/\\(.)/gs, "$1"));
}

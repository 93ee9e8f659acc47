/** The table's rows: folders that open and close with their runs inside, or all runs one below the other. */

import type { RunEntry } from "./entry";

export interface FolderRow {
  readonly kind: "folder";
  readonly id: string;
  readonly label: string;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly runs: readonly string[];
  readonly matches: boolean;
}

export interface RunRow {
  readonly kind: "run";
  readonly id: string;
  readonly label: string;
  readonly depth: number;
  readonly entry: RunEntry;
  readonly matches: boolean;
}

/** Parts the runs that match the filter from those that do not. */
export interface RuleRow {
  readonly kind: "rule";
  readonly id: string;
  readonly count: number;
}

export type Row = FolderRow | RunRow | RuleRow;

interface Folder {
  readonly path: string;
  readonly folders: Map<string, Folder>;
  readonly children: (Folder | RunEntry)[];
  readonly runs: string[];
}

export interface RowOptions {
  readonly tree: boolean;
  /** Folders that a person opened or closed against the default. */
  readonly toggled: ReadonlySet<string>;
}

/** What matches the filter, then what does not, in closed folders. */
export function buildRows(
  matching: readonly RunEntry[],
  others: readonly RunEntry[],
  { tree, toggled }: RowOptions,
): Row[] {
  const rows: Row[] = [];
  if (tree) flatten(treeOf(matching), { rows, depth: 0, matches: true, toggled });
  else rows.push(...matching.map((entry) => runRow(entry, entry.label, 0, true)));
  if (others.length > 0) {
    rows.push({ kind: "rule", id: "rule", count: others.length });
    if (tree) flatten(treeOf(others), { rows, depth: 0, matches: false, toggled });
  }
  return rows;
}

function treeOf(entries: readonly RunEntry[]): Folder {
  const root: Folder = { path: "", folders: new Map(), children: [], runs: [] };
  for (const entry of entries) {
    let folder = root;
    let slash = entry.path.indexOf("/");
    while (slash > 0 && slash < entry.path.length - 1) {
      const path = entry.path.slice(0, slash + 1);
      let inner = folder.folders.get(path);
      if (!inner) {
        inner = { path, folders: new Map(), children: [], runs: [] };
        folder.folders.set(path, inner);
        folder.children.push(inner);
      }
      inner.runs.push(entry.name);
      folder = inner;
      slash = entry.path.indexOf("/", slash + 1);
    }
    folder.children.push(entry);
  }
  return root;
}

interface Flattening {
  readonly rows: Row[];
  readonly depth: number;
  readonly matches: boolean;
  readonly toggled: ReadonlySet<string>;
}

function flatten(folder: Folder, { rows, depth, matches, toggled }: Flattening): void {
  for (const child of folder.children) {
    if (!isFolder(child)) {
      rows.push(runRow(child, child.notes.label || child.path.slice(folder.path.length), depth, matches));
      continue;
    }
    const inner = lonelyEnd(child);
    const [only] = inner.children;
    // A folder around one run says nothing that the name does not.
    if (inner.runs.length === 1 && only && !isFolder(only)) {
      rows.push(runRow(only, only.notes.label || only.path.slice(folder.path.length), depth, matches));
      continue;
    }
    const id = (matches ? "folder " : "other ") + inner.path;
    const isOpen = toggled.has(id) !== matches;
    rows.push({
      kind: "folder",
      id,
      label: inner.path.slice(folder.path.length),
      depth,
      isOpen,
      runs: inner.runs,
      matches,
    });
    if (isOpen) flatten(inner, { rows, depth: depth + 1, matches, toggled });
  }
}

const isFolder = (child: Folder | RunEntry): child is Folder => "folders" in child;

/** a/ that holds only b/ is shown as a/b/. */
function lonelyEnd(folder: Folder): Folder {
  let end = folder;
  while (end.children.length === 1 && isFolder(end.children[0]!)) end = end.children[0];
  return end;
}

const runRow = (entry: RunEntry, label: string, depth: number, matches: boolean): RunRow => ({
  kind: "run",
  id: `run ${entry.name}`,
  label,
  depth,
  entry,
  matches,
});

/** The runs between two rows, both included: what Shift with a click means. */
export function runsBetween(rows: readonly Row[], from: number, to: number): string[] {
  const names = rows
    .slice(Math.min(from, to), Math.max(from, to) + 1)
    .flatMap((row) =>
      !("matches" in row) || !row.matches ? [] : row.kind === "run" ? [row.entry.name] : row.isOpen ? [] : row.runs,
    );
  return [...new Set(names)];
}

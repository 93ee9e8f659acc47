/** The trials as files: every digit for programs, four for a paper. */

import { columnIds, type Goal, type TableColumn } from "$public/tables";
import { isNumeric, wordOf, type Cell } from "../columns/columns";

/** The rows of the table, in its order. */
export interface Shown {
  readonly names: readonly string[];
  readonly columns: readonly TableColumn[];
  /** For the paper: the best is bold. */
  readonly objective?: { readonly id: string; readonly goal: Goal };
  /** A trial without one is not the best. */
  readonly hasResult?: (row: number) => boolean;
}

const cellText = (cell: Cell): string =>
  cell === null ? "" : typeof cell === "number" && !Number.isFinite(cell) ? numberWord(cell) : wordOf(cell)!;
const numberWord = (number: number): string => (Number.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity");

export function csvText({ names, columns }: Shown): string {
  const lines = [
    ["trial", ...columns.map(headOf)],
    ...names.map((name, row) => [name, ...columns.map(({ values }) => cellText(values[row] ?? null))]),
  ];
  return lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** The name alone, unless a statistic other than the last value is meant. */
const headOf = ({ id }: TableColumn): string => columnIds.title(id);

export function jsonText({ names, columns }: Shown): string {
  const trials = names.map((name, row) => ({
    trial: name,
    ...Object.fromEntries(
      ["param", "metric", "run", "summary"].flatMap((source) => {
        const found = columns.filter(({ id }) => columnIds.parse(id).source === source);
        return found.length === 0
          ? []
          : [
              [
                PLURAL[source],
                Object.fromEntries(found.map(({ id, values }) => [nameIn(id), jsonCell(values[row] ?? null)])),
              ],
            ];
      }),
    ),
  }));
  return JSON.stringify(trials, null, 1) + "\n";
}

const PLURAL: Readonly<Record<string, string>> = { param: "params", metric: "metrics", run: "run", summary: "summary" };
const nameIn = (id: string): string => {
  const { source, name, stat } = columnIds.parse(id);
  return source === "metric" ? `${name}.${stat ?? "last"}` : name;
};
/** JSON has no NaN: words, as everywhere in this program. */
const jsonCell = (cell: Cell): Cell => (typeof cell === "number" && !Number.isFinite(cell) ? numberWord(cell) : cell);

export function latexText({ names, columns, objective, hasResult = () => true }: Shown): string {
  const best = objective
    ? bestOf(
        [...names.keys()].filter(hasResult),
        columns.find(({ id }) => id === objective.id),
        objective.goal,
      )
    : null;
  const line = (cells: readonly string[]): string => `${cells.join(" & ")} \\\\`;
  const alignment = columns.map(({ type }) => (isNumeric(type) ? "r" : "l")).join("");
  return [
    "% needs \\usepackage{booktabs}",
    `\\begin{tabular}{l${alignment}}`,
    "\\toprule",
    line(["Trial", ...columns.map((column) => escaped(headOf(column)))]),
    "\\midrule",
    ...names.map((name, row) =>
      line([
        escaped(name),
        ...columns.map((column) => {
          const text = latexCell(column.values[row] ?? null);
          return row === best && column.id === objective?.id ? `\\textbf{${text}}` : text;
        }),
      ]),
    ),
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

function bestOf(rows: readonly number[], column: TableColumn | undefined, goal: Goal): number | null {
  let best: number | null = null;
  for (const row of rows) {
    const number = column?.values[row];
    if (typeof number !== "number" || !Number.isFinite(number)) continue;
    const before = best === null ? null : (column!.values[best] as number);
    if (before === null || (goal === "min" ? number < before : number > before)) best = row;
  }
  return best;
}

function latexCell(cell: Cell): string {
  if (cell === null) return "--";
  if (typeof cell !== "number") return escaped(wordOf(cell)!);
  if (Number.isNaN(cell)) return "NaN";
  if (!Number.isFinite(cell)) return cell > 0 ? "$\\infty$" : "$-\\infty$";
  if (Number.isInteger(cell) && Math.abs(cell) < 1e6) return `$${cell}$`;
  const size = Math.abs(cell);
  if (size >= 1e-3 && size < 1e6) return `$${Number(cell.toPrecision(4))}$`;
  const [mantissa, exponent] = cell.toExponential(3).split("e");
  return `$${Number(mantissa)} \\cdot 10^{${Number(exponent)}}$`;
}

const SIGNS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
};
export const escaped = (text: string): string =>
  text.replace(/[\\{}$&#%_~^<>|]/g, (sign) => SIGNS[sign] ?? `\\${sign}`).replace(/[\r\n\t]+/g, " ");

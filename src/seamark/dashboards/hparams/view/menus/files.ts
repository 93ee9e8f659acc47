/** The trials as files: every digit for programs, four for a paper. */

import { columnIds, type Goal } from "$public/tables";
import { wordOf, type Cell, type TrialColumn } from "../trials/columns";

export interface Shown {
  /** In the table's order. */
  readonly rows: readonly number[];
  readonly names: readonly string[];
  readonly columns: readonly TrialColumn[];
  /** For the paper: the best is bold. */
  readonly objective?: { readonly id: string; readonly goal: Goal };
  /** A trial without one is not the best. */
  readonly hasResult?: (row: number) => boolean;
}

const cellText = (cell: Cell): string =>
  cell === null ? "" : typeof cell === "number" && !Number.isFinite(cell) ? numberWord(cell) : wordOf(cell)!;
const numberWord = (number: number): string => (Number.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity");

export function csvText({ rows, names, columns }: Shown): string {
  const lines = [
    ["trial", ...columns.map(headOf)],
    ...rows.map((row) => [names[row]!, ...columns.map(({ cells }) => cellText(cells[row] ?? null))]),
  ];
  return lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** The name alone, unless a statistic other than the last value is meant. */
const headOf = ({ id }: TrialColumn): string => columnIds.title(id);

export function jsonText({ rows, names, columns }: Shown): string {
  const trials = rows.map((row) => ({
    trial: names[row],
    ...Object.fromEntries(
      ["param", "metric", "run", "summary"].flatMap((source) => {
        const found = columns.filter(({ id }) => columnIds.parse(id).source === source);
        return found.length === 0
          ? []
          : [
              [
                PLURAL[source],
                Object.fromEntries(found.map(({ id, cells }) => [nameIn(id), jsonCell(cells[row] ?? null)])),
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

export function latexText({ rows, names, columns, objective, hasResult = () => true }: Shown): string {
  const best = objective
    ? bestOf(
        rows.filter(hasResult),
        columns.find(({ id }) => id === objective.id),
        objective.goal,
      )
    : null;
  const line = (cells: readonly string[]): string => `${cells.join(" & ")} \\\\`;
  const alignment = columns.map(({ categories }) => (categories ? "l" : "r")).join("");
  return [
    "% needs \\usepackage{booktabs}",
    `\\begin{tabular}{l${alignment}}`,
    "\\toprule",
    line(["Trial", ...columns.map((column) => escaped(headOf(column)))]),
    "\\midrule",
    ...rows.map((row) =>
      line([
        escaped(names[row]!),
        ...columns.map((column) => {
          const text = latexCell(column.cells[row] ?? null);
          return row === best && column.id === objective?.id ? `\\textbf{${text}}` : text;
        }),
      ]),
    ),
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

function bestOf(rows: readonly number[], column: TrialColumn | undefined, goal: Goal): number | null {
  let best: number | null = null;
  for (const row of rows) {
    const number = column?.numbers[row];
    if (number === undefined || Number.isNaN(number) || column!.states[row] !== 0) continue;
    if (best === null || (goal === "min" ? number < column!.numbers[best]! : number > column!.numbers[best]!))
      best = row;
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

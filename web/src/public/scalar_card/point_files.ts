/** Every point of a card as a file: CSV for spreadsheets, JSON for programs. */

import type { SeriesBlock } from "../../data/api";

/** Read at width 0 each row is one point, and `first` is its value, infinities included. */
export const POINT_COLUMNS = ["step", "wall", "first"];
export const CSV_HEAD = "tag,run,step,wall_time,value\r\n";

export function csvRows({ tag, runs, columns }: SeriesBlock): string {
  const { offsets, step, wall, first } = columns as Record<string, Float64Array>;
  const lines: string[] = [];
  runs.forEach((run, index) => {
    const start = `${quoted(tag)},${quoted(run)},`;
    for (let row = offsets![index]!; row < offsets![index + 1]!; row += 1) {
      lines.push(`${start}${step![row]},${wall![row]},${first![row]}\r\n`);
    }
  });
  return lines.join("");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function jsonText(blocks: readonly SeriesBlock[]): string {
  const series = blocks.flatMap(({ tag, runs, columns }) =>
    runs.map((run, index) => {
      const cut = (name: string): number[] => [
        ...columns[name]!.subarray(columns.offsets![index], columns.offsets![index + 1]),
      ];
      return { tag, run, steps: cut("step"), wall_times: cut("wall"), values: cut("first").map(jsonNumber) };
    }),
  );
  return JSON.stringify({ series });
}

/** As TensorBoard writes what JSON has no number for. */
const jsonNumber = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** Columns for tests, from cells. */

import type { TrialValues } from "$public/tables";
import { columnOf, isNumeric, MISSING, NON_FINITE, VALUE, wordOf, type Cell, type TrialColumn } from "./columns";

interface Cells {
  readonly id: string;
  readonly type: TrialValues["type"];
  readonly values: readonly Cell[];
}

/** As /api/trials/columns has it. Categories are in the order of their text. */
export function columnFrom({ id, type, values }: Cells): TrialColumn {
  const categories = isNumeric(type) ? null : [...new Set(values.filter((value) => value !== null))].sort();
  const words = categories?.map((category) => wordOf(category));
  const numbers = Float64Array.from(values, (value) =>
    value === null ? NaN : words ? words.indexOf(wordOf(value)) : Number(value),
  );
  const states = Uint8Array.from(values, (value, row) =>
    value === null ? MISSING : Number.isFinite(numbers[row]) ? VALUE : NON_FINITE,
  );
  return columnOf({
    id,
    type,
    categories,
    states,
    numbers: numbers.map((each) => (Number.isFinite(each) ? each : NaN)),
  });
}

/** The columns of the events of compilers. */

import type { ProfileColumn } from "../tables/columns";
import type { CompileRow } from "../wire";

export const COMPILE_COLUMNS: readonly ProfileColumn<CompileRow>[] = [
  { id: "name", title: "Event", type: "name", widthPx: 340, value: ({ name }) => name },
  { id: "compiler", title: "Compiler", type: "text", value: ({ compiler }) => compiler },
  { id: "total", title: "Total", hint: "With the events inside it", type: "time", value: ({ total_ns }) => total_ns },
  { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
  {
    id: "in_steps",
    title: "In steps",
    hint: "Calls inside steps",
    type: "count",
    widthPx: 88,
    value: ({ in_steps }) => in_steps,
  },
];

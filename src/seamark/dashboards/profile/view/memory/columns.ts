/** The columns of what holds memory. */

import type { ProfileColumn } from "../tables/columns";
import type { MemoryOperatorRow, MemoryRow } from "../wire";

/** `peak`: what the shares are of. */
export function allocationColumns(
  rows: readonly MemoryRow[],
  peak: number,
  start: number,
): readonly ProfileColumn<MemoryRow>[] {
  const hasShapes = rows.some(({ shape }) => shape !== "");
  return [
    { id: "operator", title: "Allocated by", type: "name", widthPx: 360, value: ({ operator }) => operator },
    ...(hasShapes
      ? [
          {
            id: "shape",
            title: "Inputs",
            hint: "Shapes of the inputs of the operator",
            type: "text",
            widthPx: 140,
            value: ({ shape }: MemoryRow) => shape,
          } as const,
        ]
      : []),
    { id: "bytes", title: "Bytes", type: "bytes", value: ({ bytes }) => bytes },
    { id: "share", title: "Share", hint: "Of the peak", type: "share", value: ({ bytes }) => bytes / (peak || 1) },
    {
      id: "allocated",
      title: "Allocated at",
      hint: "Since the start of the trace",
      type: "time",
      widthPx: 104,
      value: ({ allocated_ns }) => allocated_ns - start,
    },
    {
      id: "freed",
      title: "Freed after",
      hint: "How long it was allocated",
      type: "time",
      widthPx: 104,
      value: ({ allocated_ns, freed_ns }) => (freed_ns === null ? null : freed_ns - allocated_ns),
      reason: "Not freed in this trace",
    },
  ];
}

export function memoryOperatorColumns(peak: number): readonly ProfileColumn<MemoryOperatorRow>[] {
  return [
    { id: "operator", title: "Operator", type: "name", widthPx: 400, value: ({ operator }) => operator },
    {
      id: "peak",
      title: "At the peak",
      hint: "Allocated by it and alive then",
      type: "bytes",
      widthPx: 104,
      value: ({ peak_bytes }) => peak_bytes,
    },
    {
      id: "share",
      title: "Share",
      hint: "Of the peak",
      type: "share",
      value: ({ peak_bytes }) => peak_bytes / (peak || 1),
    },
    {
      id: "allocated",
      title: "Allocated",
      hint: "By all calls",
      type: "bytes",
      value: ({ allocated_bytes }) => allocated_bytes,
    },
    {
      id: "kept",
      title: "Not freed",
      hint: "Never freed in the trace",
      type: "bytes",
      value: ({ self_increase_bytes }) => self_increase_bytes,
    },
    { id: "calls", title: "Allocations", type: "count", widthPx: 92, value: ({ calls }) => calls },
  ];
}

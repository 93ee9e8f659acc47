/** The columns of the kernels. */

import { activityLabel } from "../parts";
import type { ProfileColumn } from "../tables/columns";
import type { KernelRow, Kernels } from "../wire";

const NO_LAUNCH = "The trace does not say it, or the calls differ";

export function kernelColumns({ rows, total_ns }: Kernels, steps: number): readonly ProfileColumn<KernelRow>[] {
  const has = (value: (row: KernelRow) => unknown): boolean => rows.some((row) => value(row) !== null);
  const text = (id: string, title: string, hint: string, value: (row: KernelRow) => string, widthPx: number) =>
    ({ id, title, hint, type: "text", widthPx, value }) as const;
  const count = (id: string, title: string, hint: string, value: (row: KernelRow) => number | null) =>
    ({ id, title, hint, type: "count", value, reason: NO_LAUNCH, widthPx: 88 }) as const;
  return [
    {
      id: "name",
      title: "Kernel",
      type: "name",
      widthPx: 340,
      value: ({ name }) => name,
      textOf: ({ name }) => shortName(name),
    },
    text("operator", "Operator", "The operator that launches it", ({ operator }) => operator || "–", 180),
    { id: "activity", title: "Activity", type: "text", widthPx: 112, value: ({ activity }) => activityLabel(activity) },
    { id: "total", title: "Total", hint: "Time of all calls", type: "time", value: ({ total_ns: ns }) => ns },
    {
      id: "share",
      title: "Share",
      hint: "Of the time of all kernels",
      type: "share",
      value: (row) => row.total_ns / (total_ns || 1),
    },
    { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
    { id: "mean", title: "Mean", hint: "Time of a call", type: "time", value: ({ mean_ns }) => mean_ns },
    { id: "min", title: "Min", hint: "The shortest call", type: "time", value: ({ min_ns }) => min_ns },
    { id: "max", title: "Max", hint: "The longest call", type: "time", value: ({ max_ns }) => max_ns },
    {
      id: "spread",
      title: "Spread",
      hint: "From the shortest to the longest call, the mark is the mean; sorted by longest / shortest",
      type: "range",
      value: ({ min_ns, max_ns }) => max_ns / Math.max(1, min_ns),
      rangeOf: ({ min_ns: min, mean_ns: mean, max_ns: max }) => ({ min, mean, max }),
    },
    ...(steps > 0
      ? [
          {
            id: "step",
            title: "Per step",
            hint: `Total divided by the ${steps} steps of the profile`,
            type: "time",
            value: ({ total_ns: ns }: KernelRow) => ns / steps,
          } as const,
        ]
      : []),
    {
      id: "tensor_cores",
      title: "Tensor cores",
      hint: "By the name of the kernel",
      type: "flag",
      value: ({ tensor_cores }) => tensor_cores,
      reason: "Not a kernel that could use tensor cores",
    },
    ...(has(({ occupancy }) => occupancy)
      ? [
          {
            id: "occupancy",
            title: "Occupancy",
            hint: "Estimated achieved occupancy, mean weighted by time",
            type: "percent",
            value: ({ occupancy }: KernelRow) => occupancy,
            reason: NO_LAUNCH,
          } as const,
        ]
      : []),
    ...(has(({ blocks_per_sm }) => blocks_per_sm)
      ? [count("blocks_per_sm", "Blocks/SM", "Blocks for each multiprocessor", ({ blocks_per_sm }) => blocks_per_sm)]
      : []),
    ...(rows.some(({ grid }) => grid !== "")
      ? [
          text("grid", "Grid", "Blocks of a launch", ({ grid }) => grid || "–", 120),
          text("block", "Block", "Threads of a block", ({ block }) => block || "–", 112),
        ]
      : []),
    ...(has(({ registers }) => registers)
      ? [count("registers", "Registers", "For each thread", ({ registers }) => registers)]
      : []),
    ...(has(({ shared_memory }) => shared_memory)
      ? [
          {
            id: "shared_memory",
            title: "Shared memory",
            hint: "For each block",
            type: "bytes",
            value: ({ shared_memory }: KernelRow) => shared_memory,
            reason: NO_LAUNCH,
          } as const,
        ]
      : []),
  ];
}

/** Without what all kernels of a library have: the return type, the namespaces and the parameters. */
export function shortName(name: string): string {
  const plain = name
    .replace(/^void /, "")
    .replaceAll("(anonymous namespace)::", "")
    .replaceAll("at::native::", "")
    .replaceAll("at::detail::", "");
  // The parameters are the last brackets that are not inside others.
  if (!plain.endsWith(")")) return plain;
  let depth = 0;
  for (let at = plain.length - 1; at > 0; at -= 1) {
    if (plain[at] === ")") depth += 1;
    else if (plain[at] === "(") depth -= 1;
    if (depth === 0) return plain[at - 1] === " " ? plain : plain.slice(0, at);
  }
  return plain;
}

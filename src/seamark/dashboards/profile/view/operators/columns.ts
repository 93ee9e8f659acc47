/** The columns of the operators and of their call tree. */

import { activityLabel } from "../parts";
import type { ProfileColumn } from "../tables/columns";
import type { OperatorRow, Operators, StackNode, StackTree } from "../wire";

export const GROUPS = ["name", "shapes", "tree"] as const;
export type Grouping = (typeof GROUPS)[number];
export type Side = "host" | "device";
export type Extent = "self" | "total";

/** By which time the operators are compared. */
export interface Measure {
  readonly side: Side;
  readonly extent: Extent;
}

export const NO_DEVICE = "This trace has no kernels: it was recorded on the CPU only.";
const HINTS: Readonly<Record<Side, Readonly<Record<Extent, string>>>> = {
  host: {
    self: "Time on the host, without the operators that it calls",
    total: "Time on the host, with the operators that it calls; a recursive call counts once",
  },
  device: {
    self: "Time of the kernels and copies that the operator launches itself",
    total: "Time of the kernels and copies that the operator and the operators below it launch",
  },
};
const TITLES: Readonly<Record<Side, string>> = { host: "Host", device: "Device" };

export function timeOf(row: OperatorRow, { side, extent }: Measure): number | null {
  if (side === "host") return extent === "self" ? row.self_ns : row.total_ns;
  return extent === "self" ? row.device_self_ns : row.device_total_ns;
}

/** The column of the address and of the default order. */
export const timeColumn = ({ side, extent }: Measure): string => `${side}_${extent}`;

export function operatorColumns(
  { group, total_self_ns, total_device_ns }: Operators,
  measure: Measure,
  steps: number,
): readonly ProfileColumn<OperatorRow>[] {
  const hasDevice = total_device_ns !== null;
  const whole = (measure.side === "host" ? total_self_ns : total_device_ns) || 1;
  const time = (side: Side, extent: Extent): ProfileColumn<OperatorRow> => ({
    id: timeColumn({ side, extent }),
    title: `${TITLES[side]} ${extent}`,
    hint: HINTS[side][extent],
    type: "time",
    value: (row) => timeOf(row, { side, extent }),
  });
  const sides: readonly Side[] = hasDevice ? [measure.side, measure.side === "host" ? "device" : "host"] : ["host"];
  const extents: readonly Extent[] = measure.extent === "self" ? ["self", "total"] : ["total", "self"];
  const [first, ...others] = sides.flatMap((side) => extents.map((extent) => time(side, extent)));
  const chosen = (row: OperatorRow): number | null => timeOf(row, measure);
  return [
    { id: "name", title: "Operator", type: "name", value: ({ name }) => name },
    ...(group === "shapes"
      ? [{ id: "shapes", title: "Shapes", hint: "Of the inputs", type: "text", widthPx: 200, value: shapesOf } as const]
      : []),
    { id: "activity", title: "Activity", type: "text", widthPx: 112, value: ({ activity }) => activityLabel(activity) },
    first!,
    {
      id: "share",
      title: "Share",
      hint: `Of the ${measure.side} self time of all operators`,
      type: "share",
      value: (row) => share(chosen(row), whole),
    },
    ...others,
    { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
    {
      id: "mean",
      title: "Mean",
      hint: `${TITLES[measure.side]} ${measure.extent} time of a call`,
      type: "time",
      value: (row) => share(chosen(row), row.calls),
    },
    ...(steps > 0
      ? [
          {
            id: "step",
            title: "Per step",
            hint: `${TITLES[measure.side]} ${measure.extent} time divided by the ${steps} steps of the profile`,
            type: "time",
            value: (row: OperatorRow) => share(chosen(row), steps),
          } as const,
        ]
      : []),
    ...(hasDevice
      ? [
          {
            id: "tensor_cores",
            title: "Tensor cores",
            hint: "Whether a kernel of the operator runs on tensor cores",
            type: "flag",
            value: ({ tensor_cores }: OperatorRow) => tensor_cores,
            reason: "No kernel of this operator could use tensor cores",
          } as const,
        ]
      : []),
  ];
}

const shapesOf = ({ shapes }: OperatorRow): string => shapes || "–";
const share = (part: number | null, whole: number): number | null =>
  part === null || whole === 0 ? null : part / whole;

export function treeColumns({ nodes }: StackTree, side: Side): readonly ProfileColumn<StackNode>[] {
  const sizeOf = treeSize(side);
  const whole = nodes.reduce((sum, node) => (node.parent < 0 ? sum + sizeOf(node) : sum), 0) || 1;
  const device: ProfileColumn<StackNode> = {
    id: "device_total",
    title: "Device total",
    hint: "Time of the kernels and copies that are launched below this row",
    type: "time",
    value: ({ device_ns }) => device_ns,
    reason: NO_DEVICE,
  };
  const host: ProfileColumn<StackNode> = {
    id: "host_total",
    title: "Host total",
    type: "time",
    value: ({ total_ns }) => total_ns,
  };
  const hasDevice = nodes.some(({ device_ns }) => device_ns !== null);
  return [
    { id: "name", title: "Call", type: "name", widthPx: 420, value: ({ name }) => name },
    side === "host" ? host : device,
    {
      id: "share",
      title: "Share",
      hint: `Of the ${side} time of all calls`,
      type: "share",
      value: (node) => sizeOf(node) / whole,
    },
    ...(side === "host" ? (hasDevice ? [device] : []) : [host]),
    {
      id: "host_self",
      title: "Host self",
      hint: "Time on the host, without the calls below",
      type: "time",
      value: ({ self_ns }) => self_ns,
    },
    { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
    { id: "activity", title: "Activity", type: "text", widthPx: 112, value: ({ activity }) => activityLabel(activity) },
  ];
}

export const treeSize =
  (side: Side) =>
  ({ total_ns, device_ns }: StackNode): number =>
    side === "host" ? total_ns : (device_ns ?? 0);

/** The columns of the tree of modules. */

import type { ProfileColumn } from "../tables/columns";
import type { StackNode, StackTree } from "../wire";

/** By device time where there is one. */
export function hasDevice({ nodes }: StackTree): boolean {
  return nodes.some(({ device_ns }) => (device_ns ?? 0) > 0);
}

export const moduleSize =
  (isDevice: boolean) =>
  ({ total_ns, device_ns }: StackNode): number =>
    isDevice ? (device_ns ?? 0) : total_ns;

export function moduleColumns(tree: StackTree, steps: number): readonly ProfileColumn<StackNode>[] {
  const isDevice = hasDevice(tree);
  const sizeOf = moduleSize(isDevice);
  const whole = tree.nodes.reduce((sum, node) => (node.parent < 0 ? sum + sizeOf(node) : sum), 0) || 1;
  const where = isDevice ? "device" : "host";
  return [
    { id: "name", title: "Module", type: "name", widthPx: 360, value: ({ name }) => name },
    ...(isDevice
      ? [
          {
            id: "device_total",
            title: "Device total",
            hint: "Time of the kernels and copies that are launched inside the module",
            type: "time",
            value: ({ device_ns }: StackNode) => device_ns,
          } as const,
        ]
      : []),
    ...(isDevice ? [] : [hostTotal]),
    {
      id: "share",
      title: "Share",
      hint: `Of the ${where} time of all modules`,
      type: "share",
      value: (node) => sizeOf(node) / whole,
    },
    ...(isDevice && hasBackward(tree) ? [deviceBackward] : []),
    ...(isDevice ? [hostTotal] : []),
    ...(hasBackward(tree) ? [hostBackward] : []),
    {
      id: "host_self",
      title: "Host self",
      hint: "Time on the host, without the modules inside it",
      type: "time",
      value: ({ self_ns }) => self_ns,
    },
    { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
    {
      id: "mean",
      title: "Mean",
      hint: `Time of a call on the ${where}`,
      type: "time",
      value: (node) => (node.calls === 0 ? null : sizeOf(node) / node.calls),
    },
    ...(steps > 0
      ? [
          {
            id: "step",
            title: "Per step",
            hint: `Time on the ${where} divided by the ${steps} steps of the profile`,
            type: "time",
            value: (node: StackNode) => sizeOf(node) / steps,
          } as const,
        ]
      : []),
  ];
}

/** The backward pass is linked to modules by torch. */
const hasBackward = ({ nodes }: StackTree): boolean => nodes.some(({ backward_ns }) => backward_ns !== null);

const deviceBackward: ProfileColumn<StackNode> = {
  id: "device_backward",
  title: "Device backward",
  hint: "Time of the kernels and copies that the backward pass of the module launches",
  type: "time",
  value: ({ backward_device_ns }) => backward_device_ns,
};

const hostBackward: ProfileColumn<StackNode> = {
  id: "host_backward",
  title: "Host backward",
  hint: "Time on the host in the backward pass of the module, with the modules inside it",
  type: "time",
  value: ({ backward_ns }) => backward_ns,
};

const hostTotal: ProfileColumn<StackNode> = {
  id: "host_total",
  title: "Host total",
  hint: "Time on the host, with the modules inside it",
  type: "time",
  value: ({ total_ns }) => total_ns,
};

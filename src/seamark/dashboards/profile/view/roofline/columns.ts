/** The columns of the roofline's operations. */

import type { ProfileColumn } from "../tables/columns";
import type { Roofline, RooflineRow } from "../wire";
import { attained } from "./scatter";

const NO_PEAK = "The trace does not say what the device can do at most; give its limits below the chart";

export function rooflineColumns(roofline: Roofline): readonly ProfileColumn<RooflineRow>[] {
  const all = roofline.rows.reduce((sum, { self_ns }) => sum + self_ns, 0) || 1;
  return [
    { id: "name", title: "Operation", type: "name", widthPx: 300, value: ({ name }) => name },
    { id: "self", title: "Self", type: "time", value: ({ self_ns }) => self_ns },
    {
      id: "share",
      title: "Share",
      hint: "Of the time of these operations",
      type: "share",
      value: ({ self_ns }) => self_ns / all,
    },
    { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
    {
      id: "flops",
      title: "FLOPs",
      hint: "Operations on numbers, of all calls",
      type: "amount",
      value: ({ flops }) => flops,
    },
    { id: "bytes", title: "Bytes", hint: "Of all calls", type: "bytes", value: ({ bytes }) => bytes },
    {
      id: "rate",
      title: "FLOP/s",
      hint: "Operations on numbers for each second",
      type: "amount",
      value: ({ flop_rate }) => flop_rate,
    },
    {
      id: "intensity",
      title: "Intensity",
      hint: "FLOPs for each byte",
      type: "count",
      widthPx: 88,
      value: ({ intensity }) => intensity,
    },
    {
      id: "bound",
      title: "Bound by",
      hint: "What limits it",
      type: "text",
      widthPx: 92,
      value: ({ bound }) => (bound === "unknown" ? null : bound),
      reason: NO_PEAK,
    },
    {
      id: "attained",
      title: "Attained",
      hint: "Part of the rate that the device allows at this intensity",
      type: "share",
      value: (row) => attained(row, roofline),
      wholeBar: 1,
      reason: NO_PEAK,
    },
  ];
}

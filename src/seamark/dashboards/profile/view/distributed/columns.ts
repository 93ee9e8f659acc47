/** The columns of ranks and of collectives. */

import type { ProfileColumn } from "../tables/columns";
import type { CollectiveRow, RankRow } from "../wire";

const ONE_RANK = "Only one rank was recorded, or the ranks cannot be compared";
const NO_SIZE = "The trace does not say how large the messages are";

export const RANK_COLUMNS: readonly ProfileColumn<RankRow>[] = [
  {
    id: "host",
    title: "Rank",
    type: "name",
    widthPx: 160,
    value: ({ host, is_straggler }) => (is_straggler ? `${host} (straggler)` : host),
  },
  { id: "step", title: "Step", hint: "Mean", type: "time", value: ({ step_ns }) => step_ns },
  {
    id: "compute",
    title: "Compute",
    hint: "A device of it computes",
    type: "time",
    value: ({ compute_ns }) => compute_ns,
  },
  {
    id: "communication",
    title: "Communication",
    type: "time",
    widthPx: 116,
    value: ({ communication_ns }) => communication_ns,
  },
  {
    id: "overlap",
    title: "Overlap",
    hint: "Communication while it computes",
    type: "time",
    value: ({ overlap_ns }) => overlap_ns,
  },
  {
    id: "overlap_share",
    title: "Hidden",
    hint: "Part of the communication that overlaps computation",
    type: "share",
    value: ({ overlap_ns, communication_ns }) => (communication_ns > 0 ? overlap_ns / communication_ns : null),
    wholeBar: 1,
    reason: "No communication",
  },
  {
    id: "exposed",
    title: "Exposed",
    hint: "Communication while it does not compute",
    type: "time",
    value: ({ exposed_ns }) => exposed_ns,
  },
  {
    id: "wait",
    title: "Waiting",
    hint: "In collectives, until the last rank arrives",
    type: "time",
    value: ({ wait_ns }) => wait_ns,
    reason: ONE_RANK,
  },
  {
    id: "idle",
    title: "Idle",
    hint: "No computation, communication or copy",
    type: "time",
    value: ({ idle_ns }) => idle_ns,
  },
  {
    id: "awaited",
    title: "Awaited",
    hint: "Part of the waiting in collectives that is for this rank: it arrives last",
    type: "share",
    value: ({ awaited_share }) => awaited_share,
    reason: ONE_RANK,
  },
  {
    id: "clock",
    title: "Clock offset",
    hint: "Against the clock of the first rank, from the ends of collectives",
    type: "time",
    widthPx: 104,
    value: ({ clock_offset_ns }) => clock_offset_ns,
    reason: ONE_RANK,
  },
];

export function collectiveColumns(rows: readonly CollectiveRow[]): readonly ProfileColumn<CollectiveRow>[] {
  const all = rows.reduce((sum, { total_ns }) => sum + total_ns, 0) || 1;
  return [
    { id: "name", title: "Collective", type: "name", widthPx: 160, value: ({ name }) => name },
    { id: "group", title: "Group", type: "text", widthPx: 92, value: ({ group }) => group || "–" },
    { id: "total", title: "Total", hint: "Of all ranks", type: "time", value: ({ total_ns }) => total_ns },
    {
      id: "share",
      title: "Share",
      hint: "Of the time of all collectives",
      type: "share",
      value: ({ total_ns }) => total_ns / all,
    },
    { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
    { id: "mean", title: "Mean", hint: "Time of a call", type: "time", value: ({ mean_ns }) => mean_ns },
    {
      id: "bytes",
      title: "Bytes",
      hint: "Of all messages",
      type: "bytes",
      value: ({ bytes }) => bytes,
      reason: NO_SIZE,
    },
    {
      id: "size",
      title: "Mean size",
      hint: "Of a message",
      type: "bytes",
      value: ({ bytes, calls }) => (bytes === null ? null : bytes / Math.max(1, calls)),
      reason: NO_SIZE,
    },
    {
      id: "bandwidth",
      title: "Bandwidth",
      hint: "Bytes of the messages for each second of the collective",
      type: "bandwidth",
      value: ({ bandwidth }) => bandwidth,
      reason: NO_SIZE,
    },
  ];
}

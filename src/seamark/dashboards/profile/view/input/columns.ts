/** The columns of the stages of an input pipeline. */

import type { ProfileColumn } from "../tables/columns";
import type { InputStage } from "../wire";

const SLOW = "Calls longer than 50 µs";

export function stageColumns(stages: readonly InputStage[]): readonly ProfileColumn<InputStage>[] {
  const all = stages.reduce((sum, { self_ns }) => sum + self_ns, 0) || 1;
  return [
    {
      id: "name",
      title: "Stage",
      type: "name",
      widthPx: 400,
      value: ({ name, is_bottleneck }) => (is_bottleneck ? `${name} (bottleneck)` : name),
    },
    {
      id: "self",
      title: "Self",
      hint: "Waiting for this stage itself, not for one below it",
      type: "time",
      value: ({ self_ns }) => self_ns,
    },
    {
      id: "share",
      title: "Share",
      hint: "Of the self time of all stages",
      type: "share",
      value: ({ self_ns }) => self_ns / all,
    },
    {
      id: "total",
      title: "Total",
      hint: "With the stages below it, also while nobody waits",
      type: "time",
      value: ({ total_ns }) => total_ns,
    },
    { id: "calls", title: "Calls", type: "count", value: ({ calls }) => calls },
    {
      id: "mean",
      title: "Mean",
      hint: "Time of a call",
      type: "time",
      value: ({ total_ns, calls }) => total_ns / Math.max(1, calls),
    },
    { id: "max", title: "Max", hint: "The longest call", type: "time", value: ({ max_ns }) => max_ns },
    { id: "slow", title: "Slow calls", hint: SLOW, type: "count", widthPx: 88, value: ({ slow_calls }) => slow_calls },
  ];
}

/** What the keyboard and the palette can do to the charts. */

import { type CardId, chartKeys, type ScalarBoardState } from "$public/charts";
import type { Command, DashboardContext } from "$public/core";

const SMOOTHING_STEP = 0.05;

export function shortcuts(
  context: DashboardContext,
  board: ScalarBoardState,
  tagField: () => HTMLInputElement | null,
): Command[] {
  const { settings } = context;
  const smooth = (by: number): void => {
    settings.smoothing = Math.min(0.999, Math.max(0, +(settings.smoothing + by).toFixed(3)));
  };
  const onCard = (act: (card: CardId) => void) => (): void => {
    if (board.at !== null) act(board.at);
  };
  const logY = ({ kind, tag }: CardId): void => {
    if (kind === chartKeys.SCALARS)
      board.change(tag, { yScale: (board.viewOf(tag).yScale ?? settings.yScale) === "log" ? "linear" : "log" });
  };
  return [
    { title: "Filter tags", keys: "t", run: () => tagField()?.focus() },
    { title: "Pin the card under the pointer", keys: "p", run: onCard((card) => board.togglePin(card)) },
    {
      title: "Full screen",
      keys: "e",
      run: () => (board.full === null ? onCard((card) => board.open(card))() : board.open(null)),
    },
    { title: "Log y axis of the card under the pointer", keys: "l", run: onCard(logY) },
    { title: "Less smoothing", keys: "[", run: () => smooth(-SMOOTHING_STEP) },
    { title: "More smoothing", keys: "]", run: () => smooth(SMOOTHING_STEP) },
    ...[1, 2, 3, 4].map((columns) => ({
      title: `${columns} ${columns === 1 ? "column" : "columns"}`,
      keys: String(columns),
      run: () => void (settings.columns = columns),
    })),
    { title: "Step along x", run: () => board.setAxis("step") },
    { title: "Relative time along x", run: () => board.setAxis("relative") },
    { title: "Wall time along x", run: () => board.setAxis("wall") },
    { title: "Clip outliers", run: () => void (settings.clipOutliers = !settings.clipOutliers) },
    { title: "Select steps by dragging", keys: "s", run: () => void (board.selecting = !board.selecting) },
  ];
}

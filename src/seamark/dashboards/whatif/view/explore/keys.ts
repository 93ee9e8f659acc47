/** The keys of Explore while its picture or its table has the focus. */

import type { ExploreModel } from "./explore_model.svelte";
import type { PictureModel } from "./scene/picture_model.svelte";

const THRESHOLD_STEP = 0.01;
const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Whether the key was handled. `picture` is null while the table is shown: it moves by its own arrows. */
export function pressKey(event: KeyboardEvent, explore: ExploreModel, picture: PictureModel | null): boolean {
  const { model } = explore;
  const isField = event.target instanceof Element && event.target.closest("input, textarea, select, button") !== null;
  if (isField || event.defaultPrevented || event.altKey) return false;
  const name = (event.ctrlKey || event.metaKey ? "ctrl+" : "") + event.key.toLowerCase();
  if (model.pressKey(name)) return true;
  if (event.ctrlKey || event.metaKey) return false;
  const direction = DIRECTIONS[event.key];
  if (direction && picture) return moveTowards(explore, picture, direction);
  switch (name) {
    case "/":
      document.querySelector<HTMLInputElement>("#whatif-filter")?.select();
      return true;
    case "j":
    case "k":
      return stepBy(explore, name === "j" ? 1 : -1);
    case "[":
    case "]":
      return moveThreshold(explore, name === "]" ? THRESHOLD_STEP : -THRESHOLD_STEP);
    case "escape":
      return clear(explore);
  }
  return false;
}

function moveTowards(explore: ExploreModel, picture: PictureModel, [dx, dy]: readonly [number, number]): boolean {
  const { row } = explore.model;
  const isShown = row !== null && picture.points !== null && !Number.isNaN(picture.points.x[row]!);
  const next = isShown ? picture.rowTowards(row, dx, dy) : (explore.order[0] ?? null);
  if (next !== null) explore.model.selectRow(next);
  return true;
}

/** The next or previous row in the order of the table. */
function stepBy(explore: ExploreModel, by: 1 | -1): boolean {
  const { order, model } = explore;
  const at = model.row === null ? -1 : order.indexOf(model.row);
  const next = order[at < 0 ? 0 : Math.min(order.length - 1, Math.max(0, at + by))];
  if (next !== undefined) model.selectRow(next);
  return true;
}

function moveThreshold({ model }: ExploreModel, by: number): boolean {
  if (model.info?.task !== "binary" || model.thresholdSlices.length > 0) return false;
  model.setThreshold(Number(Math.min(1, Math.max(0, model.threshold + by)).toFixed(2)));
  return true;
}

/** The topmost thing: the brush, then the selected row. */
function clear(explore: ExploreModel): boolean {
  if (explore.brush) explore.setBrush(null);
  else if (explore.model.row !== null) explore.model.selectRow(null);
  else return false;
  return true;
}

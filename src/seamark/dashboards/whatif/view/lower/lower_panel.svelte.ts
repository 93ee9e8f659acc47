/** LowerPanel: how high the lower tabs are; stored in this browser. */

import { browserStorage } from "$public/core";

const KEY = "seamark.whatif_lower";
const HEIGHT_PX = 348;
export const MIN_HEIGHT_PX = 120;
export const MAX_HEIGHT_PX = 700;

export const clampHeight = (heightPx: number): number =>
  heightPx > 0 && Number.isFinite(heightPx)
    ? Math.min(Math.max(Math.round(heightPx), MIN_HEIGHT_PX), MAX_HEIGHT_PX)
    : HEIGHT_PX;

export class LowerPanel {
  heightPx = $state(clampHeight(Number(browserStorage.read(KEY))));

  resize(heightPx: number): void {
    this.heightPx = clampHeight(heightPx);
    browserStorage.write(KEY, String(this.heightPx));
  }
}

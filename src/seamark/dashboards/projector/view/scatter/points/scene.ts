/** What the points are painted from. */

import type { Size } from "$public/charts";
import type { Camera, Plane, Positions } from "../camera";
import type { PointStyles } from "../colours";

export interface PointScene {
  readonly positions: Positions;
  readonly styles: PointStyles;
  readonly camera: Camera;
  readonly plane: Plane;
  readonly size: Size;
  readonly dpr: number;
  /** 0xRRGGBB. */
  readonly background: number;
  /** Over the radii of the styles. */
  readonly radiusFactor: number;
}

/** Half of the depth of what is shown; points farther than that are at the ends. */
export const depthReach = ({ extent }: Camera): number => extent / 2;

/** In device pixels. */
export const deviceSize = ({ size, dpr }: PointScene): Size => ({
  width: Math.max(1, Math.round(size.width * dpr)),
  height: Math.max(1, Math.round(size.height * dpr)),
});

import { frameOf } from "../../chart/frame";
import { readWall, readX } from "../../chart/read";
import { drawable, invert, LINEAR, project, symlogConstant } from "../../chart/scale";
import { labelOf, ticksOf, ticksOfX } from "../../chart/ticks";

/** Axes: the plot's rectangle in pixels; scales (linear, log, symlog); ticks and their text; an x value or a time as text. */
export const chartAxes = {
  frame: frameOf,
  LINEAR,
  project,
  invert,
  drawable,
  symlogConstant,
  ticks: ticksOf,
  ticksOfX,
  label: labelOf,
  xText: readX,
  wallText: readWall,
} as const;

import { readWall, readX } from "../../chart/read";
import { labelOf, ticksOf, ticksOfX } from "../../chart/ticks";

/** Ticks of an axis and their text; a time or another x value as text. */
export const axisTexts = { ticks: ticksOf, ticksOfX, label: labelOf, x: readX, wall: readWall } as const;

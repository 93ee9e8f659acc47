import { LINEAR, drawable, invert, project, symlogConstant } from "../../chart/scale";

/** Scales of an axis: linear, log, symlog. */
export const axisScales = { LINEAR, project, invert, drawable, symlogConstant } as const;

import { paintMarks } from "../../chart/gpu/surface";
import { PIXELS, barsOf } from "../../chart/marks/marks";

/** Draws marks (points, lines, rectangles, areas) with the GPU context that all cards share, or in software. */
export const gpuMarks = { paint: paintMarks, bars: barsOf, PIXELS } as const;

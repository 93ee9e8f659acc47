import { onContextLost, sharedContext, takeContext } from "../../chart/gpu/context";
import { paintMarks } from "../../chart/gpu/surface";
import { barsOf, PIXELS } from "../../chart/marks/marks";

/** Draws marks with the WebGL2 context that all cards share, or in software; lends the context. */
export const gpu = { paintMarks, bars: barsOf, PIXELS, context: sharedContext, takeContext, onContextLost } as const;

import { onContextLost, sharedContext, takeContext } from "../../chart/gpu/context";

/** The WebGL2 context that all cards share. */
export const sharedGpu = { context: sharedContext, take: takeContext, onLost: onContextLost } as const;

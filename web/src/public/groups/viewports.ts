import { centred, fit, fromPixel, pan, toPixel, zoomAt } from "../../chart/viewport/viewport";

/** The visible part of a free plane, and how it moves. */
export const viewports = { centred, fit, pan, zoomAt, toPixel, fromPixel } as const;

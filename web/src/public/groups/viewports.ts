import { panZoom } from "../../chart/viewport/gestures";
import { centred, fit, fromPixel, pan, toPixel, zoomAt } from "../../chart/viewport/viewport";

/** The visible part of a free plane, and how it moves; `panZoom` attaches pointer, wheel, fingers and keys. */
export const viewports = { centred, fit, pan, zoomAt, toPixel, fromPixel, panZoom } as const;

import { wheelFactor } from "../../chart/gesture";
import { extendLasso, lassoTest } from "../../chart/marks/lasso";
import { placeLabels } from "../../chart/marks/place_labels";
import { panZoom } from "../../chart/viewport/gestures";
import { centred, fit, fromPixel, pan, toPixel, zoomAt } from "../../chart/viewport/viewport";

/** The visible part of a free plane, how it moves, a lasso on it and labels that do not overlap. */
export const viewports = {
  centred,
  fit,
  pan,
  zoomAt,
  toPixel,
  fromPixel,
  panZoom,
  wheelFactor,
  extendLasso,
  lassoTest,
  placeLabels,
} as const;

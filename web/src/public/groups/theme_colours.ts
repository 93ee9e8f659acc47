import { cssColour } from "../../base/colours";
import { rampStops, rgbOf, token, tokenPixel } from "../../chart/look";
import { mixRgb, pixelOf, rampOf } from "../../chart/ramp";

/** Colours of the theme, as CSS takes them, as text, as numbers and as pixels; ramps of colours, and colours between two others. */
export const themeColours = {
  css: cssColour,
  token,
  tokenPixel,
  rgb: rgbOf,
  pixel: pixelOf,
  mix: mixRgb,
  ramp: rampOf,
  rampStops,
} as const;

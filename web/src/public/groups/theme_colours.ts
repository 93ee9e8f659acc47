import { cssColour } from "../../base/colours";
import { rampStops, rgbOf, token, tokenPixel } from "../../chart/look";

/** Colours of the theme: as CSS takes them, as text, as numbers, as a pixel, and those of its ramp. */
export const themeColours = { css: cssColour, token, rgb: rgbOf, pixel: tokenPixel, rampStops } as const;

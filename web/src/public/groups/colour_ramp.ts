import { mixRgb, pixelOf, rampOf } from "../../chart/ramp";

/** A ramp of colours, colours between two others, and a colour as a pixel. */
export const colourRamp = { of: rampOf, mix: mixRgb, pixel: pixelOf } as const;

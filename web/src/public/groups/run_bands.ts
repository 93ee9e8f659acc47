import { BANDS, grouping } from "../scalar_card/bands";

/** Groups of runs as one line with a band. */
export const runBands = { BANDS, grouping } as const;

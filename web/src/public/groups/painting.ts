import { warmCharts } from "../../chart/layer/layer";
import { schedulePaint } from "../../chart/paint_scheduler";

/** Paints in one of the next frames, in order of request; starts the workers that draw many lines. */
export const painting = { schedule: schedulePaint, warmWorkers: warmCharts } as const;

import { defineDashboard } from "$public/core";
import Scalars from "./Scalars.svelte";
import TimeSeries from "./TimeSeries.svelte";

/**
 * Time series is every kind in one scroll; Scalars is the same page with the other kinds off. Both are part of the page's own
 * script: an address without a tab opens Time series, as a rule.
 */
export default [
  defineDashboard({ name: "scalars", view: async () => ({ default: Scalars }) }),
  defineDashboard({ name: "timeseries", view: async () => ({ default: TimeSeries }) }),
];

/** A chart for a view without a framework. */

import { mount, unmount } from "svelte";
import LineChart from "./LineChart.svelte";
import type { Chart, ChartSpec, ViewContext } from "./view_types";
import { viewHosts } from "./view_hosts";

export function mountChart(element: HTMLElement, view: ViewContext, spec: ChartSpec): Chart {
  const context = viewHosts.get(view);
  if (!context) throw new Error("createChart() takes the context that mount() got, as its second argument");
  let current = $state.raw(spec);
  const chart = mount(LineChart, {
    target: element,
    props: {
      context,
      get spec() {
        return current;
      },
    },
  });
  return { update: (next) => void (current = next), destroy: () => void unmount(chart) };
}

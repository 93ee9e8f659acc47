/** What a person does to a layout. Each gives a new one. */

import type { Chart, Layout, ChartPosition } from "./model";

const withCharts = (layout: Layout, at: number, charts: readonly Chart[]): Layout =>
  layout.map((category, index) => (index === at ? { ...category, charts } : category));

/** A category without charts goes with its last one. */
const withoutEmpty = (layout: Layout): Layout => layout.filter(({ charts }) => charts.length > 0);

export function addChart(layout: Layout, category: string, chart: Chart): Layout {
  const at = layout.findIndex(({ title }) => title === category);
  return at < 0
    ? [...layout, { title: category, closed: false, charts: [chart] }]
    : withCharts(layout, at, [...layout[at]!.charts, chart]);
}

export function removeChart(layout: Layout, { category, chart }: ChartPosition): Layout {
  return withoutEmpty(
    withCharts(
      layout,
      category,
      layout[category]!.charts.filter((_, index) => index !== chart),
    ),
  );
}

/** Another title for the category moves the chart there. */
export function changeChart(layout: Layout, position: ChartPosition, category: string, chart: Chart): Layout {
  const now = layout[position.category]!;
  if (now.title === category)
    return withCharts(
      layout,
      position.category,
      now.charts.map((entry, index) => (index === position.chart ? chart : entry)),
    );
  const added = addChart(layout, category, chart);
  return removeChart(added, position);
}

/** The chart stands before the one that was at `to`; one past the end is the end. */
export function moveChart(layout: Layout, from: ChartPosition, to: ChartPosition): Layout {
  const moved = layout[from.category]?.charts[from.chart];
  if (!moved || !layout[to.category]) return layout;
  const before = from.category === to.category && from.chart < to.chart ? to.chart - 1 : to.chart;
  const without = withCharts(
    layout,
    from.category,
    layout[from.category]!.charts.filter((_, index) => index !== from.chart),
  );
  const target = without[to.category]!.charts;
  return withoutEmpty(withCharts(without, to.category, [...target.slice(0, before), moved, ...target.slice(before)]));
}

/** One position on, or back; past the end of a category is the next one. Null at either end of the layout. */
export function stepFrom(layout: Layout, { category, chart }: ChartPosition, by: 1 | -1): ChartPosition | null {
  if (by < 0) {
    if (chart > 0) return { category, chart: chart - 1 };
    return category > 0 ? { category: category - 1, chart: layout[category - 1]!.charts.length } : null;
  }
  if (chart + 1 < layout[category]!.charts.length) return { category, chart: chart + 2 };
  return category + 1 < layout.length ? { category: category + 1, chart: 0 } : null;
}

/** One position up or down; the layout itself where there is no such position. */
export function moveCategory(layout: Layout, at: number, by: 1 | -1): Layout {
  const [moved, other] = [layout[at], layout[at + by]];
  if (!moved || !other) return layout;
  return layout.map((category, index) => (index === at ? other : index === at + by ? moved : category));
}

/** A title that another category has makes them one. */
export function renameCategory(layout: Layout, at: number, title: string): Layout {
  const other = layout.findIndex((category, index) => index !== at && category.title === title);
  if (other < 0) return layout.map((category, index) => (index === at ? { ...category, title } : category));
  const joined = withCharts(layout, other, [...layout[other]!.charts, ...layout[at]!.charts]);
  return joined.filter((_, index) => index !== at);
}

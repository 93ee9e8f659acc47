/** Where cards lie in a scroll of thousands: everything has a known height, so only what is in view need exist. */

export interface Section<Entry> {
  readonly key: string;
  readonly entries: readonly Entry[];
  readonly open: boolean;
}

export interface Metrics {
  readonly columns: number;
  readonly cardHeight: number;
  readonly headHeight: number;
  readonly gap: number;
}

export interface Placed<Entry> {
  readonly section: Section<Entry>;
  readonly top: number;
  readonly height: number;
}

export function placeSections<Entry>(sections: readonly Section<Entry>[], metrics: Metrics): { placed: Placed<Entry>[]; height: number } {
  let top = 0;
  const placed = sections.map((section) => {
    const height = metrics.headHeight + (section.open ? bodyHeight(section.entries.length, metrics) : 0);
    top += height;
    return { section, top: top - height, height };
  });
  return { placed, height: top };
}

function bodyHeight(count: number, { columns, cardHeight, gap }: Metrics): number {
  const rows = Math.ceil(count / columns);
  return rows === 0 ? 0 : rows * (cardHeight + gap);
}

export interface Slot<Entry> {
  readonly entry: Entry;
  readonly column: number;
  /** From the top of its section. */
  readonly top: number;
}

/** The cards of a section that touch [from, to] of the scroll. */
export function slotsWithin<Entry>({ section, top }: Placed<Entry>, metrics: Metrics, from: number, to: number): Slot<Entry>[] {
  if (!section.open) return [];
  const { columns, cardHeight, headHeight, gap } = metrics;
  const pitch = cardHeight + gap;
  const rows = Math.ceil(section.entries.length / columns);
  const first = clamp(Math.floor((from - top - headHeight) / pitch), 0, rows);
  const end = clamp(Math.ceil((to - top - headHeight) / pitch), first, rows);
  return section.entries.slice(first * columns, end * columns).map((entry, index) => ({
    entry, column: index % columns, top: headHeight + (first + Math.floor(index / columns)) * pitch,
  }));
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** As the mock-up has it: three columns, two on a narrow page, four on a broad one. */
export function columnsFor(wish: number, pageWidth: number): number {
  if (wish >= 1) return Math.min(4, Math.round(wish));
  return pageWidth >= 1640 ? 4 : pageWidth >= 820 ? 3 : pageWidth >= 480 ? 2 : 1;
}

export function plotHeight(windowHeight: number, columns: number): number {
  const usual = clamp(Math.round(windowHeight * 0.176), 146, 240);
  return columns === 1 ? Math.round(usual * 1.6) : usual;
}

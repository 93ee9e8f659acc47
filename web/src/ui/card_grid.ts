/** Where cards of one height lie in a scroll of thousands, in sections that fold: only what is in view need exist. */

export interface CardSection<Entry> {
  readonly key: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly open: boolean;
}

export interface GridMetrics {
  readonly columns: number;
  readonly cardHeight: number;
  readonly headHeight: number;
  readonly gap: number;
}

export interface PlacedSection<Entry> {
  readonly section: CardSection<Entry>;
  readonly top: number;
  readonly height: number;
}

export function placeCards<Entry>(
  sections: readonly CardSection<Entry>[],
  metrics: GridMetrics,
): { placed: PlacedSection<Entry>[]; height: number } {
  const { columns, cardHeight, headHeight, gap } = metrics;
  let top = 0;
  const placed = sections.map((section) => {
    const rows = section.open ? Math.ceil(section.entries.length / columns) : 0;
    const height = headHeight + rows * (cardHeight + gap);
    top += height;
    return { section, top: top - height, height };
  });
  return { placed, height: top };
}

export interface CardSlot<Entry> {
  readonly entry: Entry;
  readonly column: number;
  /** From the top of its section. */
  readonly top: number;
}

/** The cards of a section that touch [from, to] of the scroll. */
export function cardsWithin<Entry>(
  { section, top }: PlacedSection<Entry>,
  metrics: GridMetrics,
  from: number,
  to: number,
): CardSlot<Entry>[] {
  if (!section.open) return [];
  const { columns, cardHeight, headHeight, gap } = metrics;
  const pitch = cardHeight + gap;
  const rows = Math.ceil(section.entries.length / columns);
  const first = clamp(Math.floor((from - top - headHeight) / pitch), 0, rows);
  const end = clamp(Math.ceil((to - top - headHeight) / pitch), first, rows);
  return section.entries
    .slice(first * columns, end * columns)
    .map((entry, index) => ({
      entry,
      column: index % columns,
      top: headHeight + (first + Math.floor(index / columns)) * pitch,
    }));
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Where cards lie in a scroll of thousands: the height of every row is known or guessed, so only what is in view need exist. */

export interface Section<Entry> {
  readonly key: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly open: boolean;
}

export interface Metrics<Entry> {
  readonly columns: number;
  readonly headHeight: number;
  readonly gap: number;
  readonly heightOf: (entry: Entry) => number;
}

export interface Placed<Entry> {
  readonly section: Section<Entry>;
  readonly top: number;
  readonly height: number;
  /** The top of every row, from the top of the section, and the end of the last one. */
  readonly rows: readonly number[];
}

export function placeSections<Entry>(
  sections: readonly Section<Entry>[],
  metrics: Metrics<Entry>,
): { placed: Placed<Entry>[]; height: number } {
  let top = 0;
  const placed = sections.map((section) => {
    const rows = section.open ? rowsOf(section.entries, metrics) : [metrics.headHeight];
    const height = rows.at(-1)!;
    top += height;
    return { section, top: top - height, height, rows };
  });
  return { placed, height: top };
}

/** A row is as high as its highest card. */
function rowsOf<Entry>(entries: readonly Entry[], { columns, headHeight, gap, heightOf }: Metrics<Entry>): number[] {
  const rows = [headHeight];
  for (let first = 0; first < entries.length; first += columns) {
    let highest = 0;
    for (let index = first; index < Math.min(first + columns, entries.length); index += 1)
      highest = Math.max(highest, heightOf(entries[index]!));
    rows.push(rows.at(-1)! + highest + gap);
  }
  return rows;
}

export interface Slot<Entry> {
  readonly entry: Entry;
  readonly column: number;
  /** From the top of its section. */
  readonly top: number;
}

/** The cards of a section that touch [from, to] of the scroll. */
export function slotsWithin<Entry>(
  { section, top, rows }: Placed<Entry>,
  columns: number,
  from: number,
  to: number,
): Slot<Entry>[] {
  if (!section.open) return [];
  const slots: Slot<Entry>[] = [];
  for (let row = 0; row + 1 < rows.length; row += 1) {
    if (top + rows[row + 1]! <= from || top + rows[row]! >= to) continue;
    for (let column = 0; column < columns && row * columns + column < section.entries.length; column += 1) {
      slots.push({ entry: section.entries[row * columns + column]!, column, top: rows[row]! });
    }
  }
  return slots;
}

/** A row that must not move on the screen when heights above it turn out different. */
export interface Anchor {
  readonly section: string;
  readonly row: number;
  readonly top: number;
}

/** The row at this place of the scroll: the last one that begins at it or above. */
export function anchorAt<Entry>(placed: readonly Placed<Entry>[], at: number): Anchor | null {
  const found = placed.findLast(({ top }) => top <= at);
  if (!found) return null;
  const row = Math.max(
    0,
    found.rows.slice(0, -1).findLastIndex((rowTop) => found.top + rowTop <= at),
  );
  return { section: found.section.key, row, top: found.top + found.rows[row]! };
}

/** How far an anchor moved; nothing when it is gone. */
export function movedBy<Entry>(placed: readonly Placed<Entry>[], { section, row, top }: Anchor): number {
  const found = placed.find(({ section: { key } }) => key === section);
  return found?.rows[row] === undefined ? 0 : found.top + found.rows[row] - top;
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** As the mock-up has it: three columns, two on a narrow page, four on a broad one. */
export function columnsFor(request: number, pageWidth: number): number {
  if (pageWidth < 480) return 1;
  if (request >= 1) return Math.min(4, Math.round(request));
  return pageWidth >= 1640 ? 4 : pageWidth >= 820 ? 3 : pageWidth >= 480 ? 2 : 1;
}

export function plotHeight(windowHeight: number, columns: number): number {
  const usual = clamp(Math.round(windowHeight * 0.176), 146, 240);
  return columns === 1 ? Math.round(usual * 1.6) : usual;
}

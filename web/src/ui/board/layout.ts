/** Positions of cards in a scroll of thousands. Every row's height is known or estimated, so only visible cards exist. */

import type { IconName } from "../icons";

export interface Section<Entry> {
  readonly key: string;
  readonly title: string;
  readonly icon?: IconName;
  readonly entries: readonly Entry[];
  readonly open: boolean;
  /** It never shares its rows with other sections. */
  readonly alone?: boolean;
}

export interface Metrics<Entry> {
  readonly columns: number;
  readonly headHeight: number;
  readonly gap: number;
  /** Where so many cards share the width. */
  readonly heightOf: (entry: Entry, columns: number) => number;
  /** Whether a card may be wider than a column, so that rows with fewer cards fill the width; false if not given. */
  readonly stretches?: (entry: Entry) => boolean;
}

export interface PlacedSection<Entry> {
  readonly section: Section<Entry>;
  readonly top: number;
  readonly height: number;
  /** Its first column and how many it has, of how many that share the width. */
  readonly column: number;
  readonly span: number;
  readonly columns: number;
  /** Its rows have columns of their own: as many as they have cards. */
  readonly balanced: boolean;
  /** The top of every row, from the top of the section, and the end of the last row. */
  readonly rows: readonly number[];
}

export interface Layout<Entry> {
  readonly placed: readonly PlacedSection<Entry>[];
  readonly height: number;
}

export function placeSections<Entry>(sections: readonly Section<Entry>[], metrics: Metrics<Entry>): Layout<Entry> {
  const placed: PlacedSection<Entry>[] = [];
  let top = 0;
  for (const band of bandsOf(sections, metrics.columns)) {
    const count = band.reduce((sum, { entries }) => sum + entries.length, 0);
    const stretches =
      count > 0 && band.every(({ open, entries }) => open && entries.every((entry) => metrics.stretches?.(entry)));
    const columns = stretches ? Math.min(count, metrics.columns) : metrics.columns;
    const balanced = stretches && band.length === 1;
    const rows = band.map((section) => rowsOf(section, { ...metrics, columns }, balanced));
    const height = Math.max(...rows.map((tops) => tops.at(-1)!));
    let column = 0;
    band.forEach((section, index) => {
      const isLast = index === band.length - 1;
      // The last one has the remaining columns, so that its heading covers them.
      const span = isLast ? columns - column : section.entries.length;
      placed.push({ section, top, height, column, span, columns, balanced, rows: rows[index]! });
      column += span;
    });
    top += height;
  }
  return { placed, height: top };
}

/** More cards than this fill a row of their own. */
const MAX_SHARED_CARDS = 2;

/** Consecutive open sections of one or two cards share a row as long as they fit into its columns. */
function bandsOf<Entry>(sections: readonly Section<Entry>[], columns: number): Section<Entry>[][] {
  const bands: Section<Entry>[][] = [];
  let free = 0;
  for (const section of sections) {
    const count = section.entries.length;
    const isSmall = section.open && !section.alone && count > 0 && count <= MAX_SHARED_CARDS;
    if (isSmall && count <= free) {
      bands.at(-1)!.push(section);
      free -= count;
    } else {
      bands.push([section]);
      free = isSmall ? columns - count : 0;
    }
  }
  return bands;
}

/** The cards of a row: the first one, and how many. Balanced rows differ by one card at most: four in threes are 2 + 2. */
function cardsOfRow(row: number, count: number, columns: number, balanced: boolean): [first: number, count: number] {
  if (!balanced) return [row * columns, Math.min(columns, count - row * columns)];
  const rows = Math.ceil(count / columns);
  const [low, longer] = [Math.floor(count / rows), count % rows];
  return [row * low + Math.min(row, longer), row < longer ? low + 1 : low];
}

/** A row is as high as its highest card. */
function rowsOf<Entry>({ entries, open }: Section<Entry>, metrics: Metrics<Entry>, balanced: boolean): number[] {
  const { columns, headHeight, gap, heightOf } = metrics;
  const rows = [headHeight];
  const rowCount = open ? Math.ceil(entries.length / columns) : 0;
  for (let row = 0; row < rowCount; row += 1) {
    const [first, count] = cardsOfRow(row, entries.length, columns, balanced);
    let highest = 0;
    for (let index = first; index < first + count; index += 1)
      highest = Math.max(highest, heightOf(entries[index]!, balanced ? count : columns));
    rows.push(rows.at(-1)! + highest + gap);
  }
  return rows;
}

/** The sections that touch [from, to] of the scroll. */
export function sectionsWithin<Entry>({ placed }: Layout<Entry>, from: number, to: number): PlacedSection<Entry>[] {
  return placed.filter(({ top, height }) => top + height > from && top < to);
}

export interface Slot<Entry> {
  readonly entry: Entry;
  /** From the first column of its section. */
  readonly column: number;
  /** How many share the width with it. */
  readonly columns: number;
  /** From the top of its section. */
  readonly top: number;
  /** Of its row, which a lower card fills. */
  readonly height: number;
}

/** The cards of a section that touch [from, to] of the scroll. */
export function slotsWithin<Entry>(placed: PlacedSection<Entry>, from: number, to: number, gap = 0): Slot<Entry>[] {
  const { section, top, rows, balanced } = placed;
  const slots: Slot<Entry>[] = [];
  for (let row = rowAt(rows, from - top); row + 1 < rows.length && top + rows[row]! < to; row += 1) {
    if (top + rows[row + 1]! <= from) continue;
    const [first, count] = cardsOfRow(row, section.entries.length, placed.columns, balanced);
    const columns = balanced ? count : placed.columns;
    // The sections beside it may be higher.
    const end = row + 2 === rows.length ? placed.height : rows[row + 1]!;
    const height = end - rows[row]! - gap;
    for (let column = 0; column < count; column += 1)
      slots.push({ entry: section.entries[first + column]!, column, columns, top: rows[row]!, height });
  }
  return slots;
}

/** The last row that begins at this offset or above it; the first row if none does. */
function rowAt(rows: readonly number[], offset: number): number {
  let [low, high] = [0, Math.max(0, rows.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (rows[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A row that must not move on the screen when the heights above it change. */
export interface Anchor {
  readonly section: string;
  readonly row: number;
  readonly top: number;
}

/** The row at this offset of the scroll: the last one that begins at it or above. */
export function anchorAt<Entry>({ placed }: Layout<Entry>, offset: number): Anchor | null {
  const found = placed.findLast(({ top }) => top <= offset);
  if (!found) return null;
  const row = rowAt(found.rows, offset - found.top);
  return { section: found.section.key, row, top: found.top + found.rows[row]! };
}

/** By how many pixels an anchor moved; 0 if it no longer exists. */
export function movedBy<Entry>({ placed }: Layout<Entry>, { section, row, top }: Anchor): number {
  const found = placed.find(({ section: { key } }) => key === section);
  return found?.rows[row] === undefined ? 0 : found.top + found.rows[row] - top;
}

/** The width of one card: columns share the page's width, without its padding and the gaps. */
export function cardWidth(pageWidth: number, columns: number, { gap, padding }: { gap: number; padding: number }) {
  return (Math.max(0, pageWidth - 2 * padding) - gap * (columns - 1)) / columns;
}

/** What a columns menu offers, and what a page of a width has room for. */
export interface Columns {
  readonly choices: readonly number[];
  /** How many fit. */
  readonly fit: (width: number) => number;
  /** How many a person can have, if fewer than the choices. */
  readonly max?: (width: number) => number;
}

const PHONE_PX = 480;

/** Of charts, as the mock-up has it: three, two on a narrow page, four on a broad one, and one on a phone. */
export const CHART_COLUMNS: Columns = {
  choices: [1, 2, 3, 4],
  fit: (width) => (width >= 1640 ? 4 : width >= 820 ? 3 : width >= PHONE_PX ? 2 : 1),
  max: (width) => (width >= PHONE_PX ? 4 : 1),
};

/** Which cards there are, what one shows, and what a search has found. */

import { requestJson, groupByPrefix, type PayloadList, type TagEntry } from "$public/core";

export interface Cell {
  readonly key: string;
  readonly tag: string;
  readonly title: string;
  readonly run: string;
}

export interface Entry {
  readonly rows: readonly (readonly string[])[];
  readonly is_table: boolean;
  /** Made safe by the server. */
  readonly html: string;
  readonly size: number;
  readonly is_cut: boolean;
  readonly note: string;
}

export interface Match {
  readonly run: string;
  readonly tag: string;
  readonly index: number;
  readonly step: number;
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

export interface Found {
  readonly matches: readonly Match[];
  readonly searched: number;
  readonly unread: number;
  readonly next: string | null;
}

const API = "api/dashboards/text";
/** What torch and tensorboardX put behind every tag. */
const SUFFIX = "/text_summary";

/** The tag as a person gave it, unless two would then be called the same. */
export function titlesOf(tags: readonly string[]): ReadonlyMap<string, string> {
  const given = new Set(tags);
  return new Map(
    tags.map((tag) => {
      const short = tag.endsWith(SUFFIX) ? tag.slice(0, -SUFFIX.length) : tag;
      return [tag, short !== "" && (short === tag || !given.has(short)) ? short : tag];
    }),
  );
}

export const keyOf = (tag: string, run: string): string => JSON.stringify([tag, run]);

/** Sections by the tag's folder; in each the tags, of every tag the shown runs that have it. */
export function sectionsOf(
  entries: readonly TagEntry[],
  titles: ReadonlyMap<string, string>,
  shown: readonly string[],
) {
  const titled = entries.map((entry) => ({ ...entry, real: entry.tag, tag: titles.get(entry.tag) ?? entry.tag }));
  return groupByPrefix(titled)
    .map(({ prefix, title, entries: members }) => ({
      key: prefix,
      title,
      cells: (members as readonly (TagEntry & { real: string })[]).flatMap(({ tag: title, real, runs }) => {
        const has = new Set(runs);
        return shown
          .filter((run) => has.has(run))
          .map((run): Cell => ({ key: keyOf(real, run), tag: real, title, run }));
      }),
    }))
    .filter(({ cells }) => cells.length > 0);
}

/** As logged: a table's cells side by side. */
export const plainText = ({ rows, is_table }: Entry): string =>
  is_table ? rows.map((row) => row.join("\t")).join("\n") : (rows[0]?.[0] ?? "");

const KEPT = 60;
const kept = new Map<string, Promise<Entry>>();

const questionOf = (list: PayloadList, position: number): string =>
  new URLSearchParams({ run: list.run, tag: list.tag, index: String(list.index[position]) }).toString();

/** Texts that were seen lately come at once when a slider passes them again. */
export function fetchEntry(list: PayloadList, position: number): Promise<Entry> {
  const question = questionOf(list, position);
  const key = `${question} ${list.walls[position]}`;
  const had = kept.get(key);
  if (had) {
    kept.delete(key);
    kept.set(key, had);
    return had;
  }
  const asked = requestJson<Entry>(`${API}/entry?${question}`);
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return asked;
}

export const downloadAddress = (list: PayloadList, position: number): string =>
  `${API}/download?${questionOf(list, position)}`;

export function fetchFound(query: string, from: string | null): Promise<Found> {
  return requestJson<Found>(`${API}/search?${new URLSearchParams({ q: query, ...(from === null ? {} : { from }) })}`);
}

/** A page of results: goes on until there are so many, or nothing is left. */
export const PAGE = 50;

/** The cards of a tag, the text that one shows, and what a search has found. */

import { type RunCard, runCards } from "$public/boards";
import { type PayloadList, requestJson, type TagEntry } from "$public/core";
import type { EntryResponse as Entry, SearchResponse } from "./wire_types";

export type { Entry };

/** A tag as a person gave it, and as it was logged. */
export interface TextTag extends TagEntry {
  readonly logged: string;
}

export interface Cell extends RunCard {
  readonly logged: string;
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

export interface Found extends Omit<SearchResponse, "matches"> {
  readonly matches: readonly Match[];
}

const API = "api/dashboards/text";
/** torch and tensorboardX append it to every tag. */
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

export const titled = (entries: readonly TagEntry[], titles: ReadonlyMap<string, string>): TextTag[] =>
  entries.map(({ tag, runs }) => ({ tag: titles.get(tag) ?? tag, logged: tag, runs }));

export const cardsOf = (entry: TextTag, shown: readonly string[]): Cell[] =>
  runCards
    .list(entry, shown)
    .map((card) => ({ ...card, key: runCards.key(entry.logged, card.run), logged: entry.logged }));

/** As logged: a table's cells side by side. */
export const plainText = ({ rows, is_table }: Entry): string =>
  is_table ? rows.map((row) => row.join("\t")).join("\n") : (rows[0]?.[0] ?? "");

const MAX_CACHED = 60;
const cached = new Map<string, Promise<Entry>>();

const queryOf = (list: PayloadList, position: number): string =>
  new URLSearchParams({ run: list.run, tag: list.tag, index: String(list.index[position]) }).toString();

/** Recent texts are cached, so that a slider can go back without a request. */
export function fetchEntry(list: PayloadList, position: number): Promise<Entry> {
  const query = queryOf(list, position);
  const key = `${query} ${list.walls[position]}`;
  const known = cached.get(key);
  if (known) {
    cached.delete(key);
    cached.set(key, known);
    return known;
  }
  const request = requestJson<Entry>(`${API}/entry?${query}`);
  cached.set(key, request);
  request.catch(() => cached.delete(key));
  if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
  return request;
}

export const downloadAddress = (list: PayloadList, position: number): string =>
  `${API}/download?${queryOf(list, position)}`;

export function fetchFound(query: string, from: string | null, signal?: AbortSignal): Promise<Found> {
  const parameters = new URLSearchParams({ q: query, ...(from === null ? {} : { from }) });
  return requestJson<Found>(`${API}/search?${parameters}`, { signal });
}

/** A page of results: goes on until there are so many, or nothing is left. */
export const PAGE = 50;

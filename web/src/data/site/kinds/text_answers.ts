/** Search in the texts that a site has stored. */

import { getKey } from "../request_key";
import type { SiteFiles } from "../files/site_files";
import { jsonResponse, type SiteRequest } from "../site_request";
import { readTags } from "../tag_list";

interface TextPosition {
  readonly run: string;
  readonly tag: string;
  readonly index: number;
}

const MAX_MATCHES = 100;
/** Of one answer; the page then asks for more. */
const MAX_TEXTS = 500;
const CONTEXT = 70;

export async function searchTexts({ files, parameters }: SiteRequest): Promise<Response> {
  const words = [...(parameters.get("q") ?? "").matchAll(/"([^"]+)"|(\S+)/g)].map(([, phrase, word]) =>
    (phrase ?? word!).toLowerCase(),
  );
  const runs = new Set(parameters.getAll("run"));
  const limit = Math.min(MAX_MATCHES, Number(parameters.get("limit") ?? MAX_MATCHES));
  const texts = await positionsOf(files, runs);
  const matches: unknown[] = [];
  let at = Number(parameters.get("from") ?? 0);
  const end = Math.min(texts.length, at + MAX_TEXTS);
  const start = at;
  for (; at < end && matches.length < limit; at += 1) {
    const { step, wall, ...position } = texts[at]!;
    const hit = firstHit(await textAt(files, position), words);
    if (hit) matches.push({ ...position, step, wall, ...hit });
  }
  return jsonResponse({ matches, searched: at - start, unread: 0, next: at < texts.length ? String(at) : null });
}

async function positionsOf(
  files: SiteFiles,
  runs: ReadonlySet<string>,
): Promise<(TextPosition & { readonly step: number; readonly wall: number })[]> {
  const tags = await readTags(files);
  const series = (tags.kinds.text ?? []).flatMap(({ tag, runs: own }) =>
    own.map((index) => ({ tag, run: tags.runs[index]! })),
  );
  const wanted = series.filter(({ run }) => runs.size === 0 || runs.has(run));
  const lists = await Promise.all(
    wanted.map(({ run, tag }) =>
      files.json<{ index: number[]; steps: number[]; walls: number[] }>(
        getKey("api/payloads", Object.entries({ run, tag, kind: "text", attempts: "latest" })),
      ),
    ),
  );
  return wanted.flatMap(({ run, tag }, at) => {
    const list = lists[at];
    return list?.index.map((index, row) => ({ run, tag, index, step: list.steps[row]!, wall: list.walls[row]! })) ?? [];
  });
}

async function textAt(files: SiteFiles, { run, tag, index }: TextPosition): Promise<string> {
  const key = getKey("api/dashboards/text/download", Object.entries({ run, tag, index: String(index) }));
  return new TextDecoder().decode((await files.read(key))?.bytes);
}

/** The first word with its context, if all words occur in the text. */
function firstHit(text: string, words: readonly string[]): { before: string; hit: string; after: string } | null {
  const lowered = text.toLowerCase();
  if (words.length === 0 || !words.every((word) => lowered.includes(word))) return null;
  const start = lowered.indexOf(words[0]!);
  const end = start + words[0]!.length;
  const squeezed = (from: number, to: number): string => text.slice(Math.max(0, from), to).replace(/\s+/g, " ");
  return {
    before: (start > CONTEXT ? "…" : "") + squeezed(start - CONTEXT, start),
    hit: text.slice(start, end),
    after: squeezed(end, end + CONTEXT) + (end + CONTEXT < text.length ? "…" : ""),
  };
}

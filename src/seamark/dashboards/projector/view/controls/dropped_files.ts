/** Which of the files that were dropped together are vectors, and which have the metadata of which. */

import type { ProjectorRequests } from "../load";
import type { EmbeddingRef } from "../wire";

/** What pairing takes of a file. */
export type NamedFile = Pick<File, "name" | "size">;

export interface DroppedPair<One extends NamedFile = File> {
  readonly vectors: One;
  readonly metadata: One | null;
  /** Both are tables, and their sizes alone say which is which. */
  readonly isGuess: boolean;
}

/** As on the server: `words.metadata.tsv`, `labels.csv`. */
const METADATA = /^(?:(.*)[._-])?(?:metadata|labels)\.\w+$/is;
const ONLY_VECTORS = /\.(?:npy|npz|safetensors)$/i;

/** "words" of words.npy, words.csv and words.metadata.tsv; "" of metadata.tsv. */
function stemOf(name: string): string {
  const metadata = METADATA.exec(name);
  return (metadata ? (metadata[1] ?? "") : name.replace(/\.\w+$/, "")).toLowerCase();
}

/** In any order. Of tables that could be both, the largest ones are the vectors. */
export function pairsOf<One extends NamedFile>(files: readonly One[]): DroppedPair<One>[] {
  const rest = files.toSorted((a, b) => b.size - a.size);
  const metadata = rest.filter(({ name }) => METADATA.test(name));
  const arrays = rest.filter(({ name }) => ONLY_VECTORS.test(name));
  const tables = rest.filter((file) => !metadata.includes(file) && !arrays.includes(file));
  const take = (from: One[], stem: string): One | null => {
    const at = from.findIndex((file) => stemOf(file.name) === stem);
    return at < 0 ? null : from.splice(at, 1)[0]!;
  };
  // Files named after each other belong together; what is left belongs to the only vectors that lack it.
  const pairs: { vectors: One; metadata: One | null; isGuess: boolean }[] = [];
  const add = (vectors: One, own: One | null): void => void pairs.push({ vectors, metadata: own, isGuess: false });
  for (const vectors of arrays)
    add(vectors, take(metadata, stemOf(vectors.name)) ?? take(tables, stemOf(vectors.name)));
  for (const vectors of tables.splice(0)) {
    const own = take(metadata, stemOf(vectors.name));
    if (own) add(vectors, own);
    else tables.push(vectors);
  }
  const isLacking = (): boolean => pairs.some((pair) => pair.metadata === null);
  const left = isLacking() ? [...metadata, ...tables] : [...tables, ...metadata];
  for (const file of left) {
    const lacking = pairs.find((pair) => pair.metadata === null);
    if (!lacking) {
      add(file, null);
      continue;
    }
    lacking.metadata = file;
    lacking.isGuess = !ONLY_VECTORS.test(lacking.vectors.name) && !METADATA.test(file.name);
  }
  return pairs;
}

/** Returns the embedding. A guess that the server rejects is turned round. */
export async function uploadPair(
  requests: Pick<ProjectorRequests, "upload">,
  { vectors, metadata, isGuess }: DroppedPair,
): Promise<EmbeddingRef> {
  const send = async (first: File, second: File | null): Promise<EmbeddingRef> => {
    const ref = await requests.upload(first);
    if (second) await requests.upload(second, ref.name);
    return ref;
  };
  if (!isGuess) return send(vectors, metadata);
  try {
    return await send(vectors, metadata);
  } catch (failure) {
    return send(metadata!, vectors).catch(() => Promise.reject(failure));
  }
}

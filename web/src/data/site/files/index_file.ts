/** The index of a site: for every key of a request, where its answer is. publish/packs.py writes it. */

export interface Form {
  readonly media: string;
  readonly deflated: boolean;
  readonly status: number;
}

/** Owner, form, length as stored, keys. */
type Entry = readonly [number, number, number, readonly string[]];

export interface IndexFile {
  readonly published: number;
  readonly title: string;
  readonly forms: readonly Form[];
  readonly packs: readonly { readonly file: string; readonly entries: readonly Entry[] }[];
}

export interface Location {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly form: Form;
}

export function locationsOf({ forms, packs }: IndexFile): Map<string, Location> {
  const locations = new Map<string, Location>();
  for (const { file, entries } of packs) {
    let offset = 0;
    for (const [, form, length, keys] of entries) {
      const location = { file, offset, length, form: forms[form]! };
      for (const key of keys) locations.set(key, location);
      offset += length;
    }
  }
  return locations;
}

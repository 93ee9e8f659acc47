/** site.json: where the index of a site is, and how it is encrypted. publish/folder.py writes it. */

import { RequestError } from "../../request";

const FORMAT = "seamark-site/2";

export interface Encryption {
  readonly cipher: string;
  readonly kdf: string;
  readonly iterations: number;
  readonly salt: string;
  readonly check: string;
}

export interface Part {
  readonly offset: number;
  readonly length: number;
}

export interface Manifest {
  readonly format: string;
  readonly file: string;
  readonly index: Part;
  readonly encryption: Encryption | null;
}

/** Not from a cache: every other file has a name of its own for every content, this one has not. */
export async function readManifest(name: string, base: string): Promise<Manifest> {
  let manifest: Manifest | null;
  try {
    const response = await fetch(base + name, { cache: "no-cache" });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trimEnd());
    manifest = (await response.json()) as Manifest | null;
  } catch (cause) {
    throw new RequestError(`the data of this site cannot be read: ${name}`, 0, "unreachable", {}, { cause });
  }
  if (manifest?.format !== FORMAT) {
    const sentence = `this site has the format "${manifest?.format ?? ""}", and its page reads "${FORMAT}": publish it again`;
    throw new RequestError(sentence, 422, "undecodable");
  }
  return manifest;
}

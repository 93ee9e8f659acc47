/** The answers that a site has stored, found by their keys. */

import { decodeColumns, decodeSequence, type ColumnBlock } from "../../columns";
import { ByteCache } from "./byte_cache";
import { decryptionOf, type Decrypt } from "./cipher";
import { damaged, inflate, inflateJoined } from "./inflate";
import { locationsOf, type Form, type IndexFile, type Location } from "./index_file";
import type { Manifest } from "./manifest";
import { PackReader, type Bytes } from "./pack_reader";

export interface Stored {
  readonly bytes: Bytes;
  readonly form: Form;
}

/** In front of the index, which may be padded. */
const LENGTH_BYTES = 4;
/** So many bytes of answers are cached, as they were decoded. */
const MAX_CACHED_BYTES = 32 << 20;

function parse<T>(bytes: Bytes): T {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  } catch (cause) {
    throw damaged(cause);
  }
}

export class SiteFiles {
  published = 0;
  title = "";
  #locations: ReadonlyMap<string, Location> = new Map();
  #decrypt: Decrypt | null = null;
  readonly #reader: PackReader;
  readonly #cache = new ByteCache<Location, Bytes>(MAX_CACHED_BYTES, ({ byteLength }) => byteLength);

  /** `base` is the address of the site's folder. */
  constructor(
    private readonly manifest: Manifest,
    base: string,
  ) {
    this.#reader = new PackReader(base);
  }

  /** Reads the index. An encrypted site needs the passphrase, and throws WrongPassphraseError for another one. */
  async unlock(passphrase = ""): Promise<void> {
    const { encryption, file, index } = this.manifest;
    if (encryption) this.#decrypt = await decryptionOf(encryption, passphrase);
    const form = { media: "application/json", deflated: false, status: 200 };
    const framed = await this.#load({ file, ...index, form });
    const length = new DataView(framed.buffer).getUint32(0, true);
    const bytes = await inflate(framed.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
    const content = parse<IndexFile>(bytes);
    this.#locations = locationsOf(content);
    this.published = content.published;
    this.title = content.title;
  }

  has(key: string): boolean {
    return this.#locations.has(key);
  }

  async read(key: string): Promise<Stored | null> {
    const location = this.#locations.get(key);
    if (!location) return null;
    return { bytes: await this.#cache.get(location, () => this.#load(location)), form: location.form };
  }

  /** For bytes whose decoded form is cached elsewhere. */
  async readOnce(key: string): Promise<Bytes | null> {
    const location = this.#locations.get(key);
    return location ? this.#load(location) : null;
  }

  /** Blocks of columns. Many short ones are decompressed together. */
  async readBlocks(keys: readonly string[]): Promise<(ColumnBlock | null)[]> {
    const locations = keys.map((key) => this.#locations.get(key));
    const stored = await Promise.all(locations.map((location) => location && this.#stored(location)));
    const deflated = stored.filter((_, at) => locations[at]?.form.deflated) as Bytes[];
    const blocks = decodeSequence((await inflateJoined(deflated)).buffer)[Symbol.iterator]();
    return stored.map((bytes, at) => {
      if (!bytes) return null;
      return locations[at]!.form.deflated ? (blocks.next().value ?? null) : decodeColumns(bytes.slice().buffer);
    });
  }

  async json<T>(key: string): Promise<T | null> {
    const stored = await this.read(key);
    return stored ? parse<T>(stored.bytes) : null;
  }

  async #load(location: Location): Promise<Bytes> {
    const content = await this.#stored(location);
    // A copy of its own: columns have to begin at a multiple of eight bytes.
    return location.form.deflated ? inflate(content) : content.slice();
  }

  /** Decrypted, but compressed as it was. */
  #stored({ file, offset, length }: Location): Promise<Bytes> {
    const stored = this.#reader.read(file, offset, length);
    const decrypt = this.#decrypt;
    return decrypt ? stored.then((bytes) => decrypt(bytes, file, offset)) : stored;
  }
}

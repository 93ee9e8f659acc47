/**
 * Reads parts of a site's data files by HTTP ranges. Parts that are requested at the same moment and lie near each other are one
 * range. A host that ignores ranges sends whole files, which are then cached.
 */

import { RequestError } from "../../request";
import { ByteCache } from "./byte_cache";

export type Bytes = Uint8Array<ArrayBuffer>;

interface Waiting {
  readonly offset: number;
  readonly length: number;
  readonly resolve: (bytes: Bytes) => void;
  readonly reject: (error: unknown) => void;
}

/** A request costs more than so many bytes that nobody wants. */
const MAX_GAP = 64 << 10;
const MAX_RANGE = 8 << 20;
const MAX_CACHED_BYTES = 96 << 20;
const PARTIAL_CONTENT = 206;
/** The part begins behind the end of the file. */
const RANGE_NOT_SATISFIABLE = 416;

export class PackReader {
  readonly #waiting = new Map<string, Waiting[]>();
  /** Of a host that ignores ranges. What is dropped is in the browser's own cache. */
  readonly #files = new ByteCache<string, Bytes>(MAX_CACHED_BYTES, ({ byteLength }) => byteLength);
  #hasRanges = true;

  constructor(
    /** The address of the site's folder: a worker has another one. */
    private readonly base = "",
    private readonly fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
  ) {}

  read(file: string, offset: number, length: number): Promise<Bytes> {
    if (length === 0) return Promise.resolve(new Uint8Array(0));
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) queueMicrotask(() => this.#send());
      const waiting = this.#waiting.get(file) ?? [];
      waiting.push({ offset, length, resolve, reject });
      this.#waiting.set(file, waiting);
    });
  }

  #send(): void {
    const files = [...this.#waiting];
    this.#waiting.clear();
    for (const [file, parts] of files) {
      for (const group of nearby(parts)) void this.#answer(file, group);
    }
  }

  async #answer(file: string, parts: readonly Waiting[]): Promise<void> {
    const start = parts[0]!.offset;
    const stop = Math.max(...parts.map(({ offset, length }) => offset + length));
    try {
      const { bytes, at } = await this.#bytes(file, start, stop);
      for (const { offset, length, resolve } of parts) resolve(bytes.subarray(offset - at, offset - at + length));
    } catch (failure) {
      for (const { reject } of parts) reject(failure);
    }
  }

  /** Bytes that hold [start, stop) of the file, and where in the file they begin. */
  async #bytes(file: string, start: number, stop: number): Promise<{ bytes: Bytes; at: number }> {
    if (!this.#hasRanges) return { bytes: checked(await this.#whole(file), stop, file), at: 0 };
    const response = await this.#request(file, { headers: { range: `bytes=${start}-${stop - 1}` } });
    if (response.status === PARTIAL_CONTENT) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes: checked(bytes, stop - start, file), at: start };
    }
    this.#hasRanges = false;
    return { bytes: checked(await this.#whole(file, response), stop, file), at: 0 };
  }

  #whole(file: string, received?: Response): Promise<Bytes> {
    return this.#files.get(file, async () => {
      const response = received ?? (await this.#request(file));
      return new Uint8Array(await response.arrayBuffer());
    });
  }

  async #request(file: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await this.fetch(`${this.base}data/${file}.bin`, init);
    } catch (cause) {
      throw new RequestError("the host of this site does not answer", 0, "unreachable", {}, { cause });
    }
    if (response.ok) return response;
    if (response.status === RANGE_NOT_SATISFIABLE) throw cutShort(file);
    const sentence =
      response.status === 404
        ? `a file of this site is missing: reload the page in case it was published again, or copy its folder again: data/${file}.bin`
        : `the host of this site answered ${response.status} ${response.statusText}`.trimEnd();
    throw new RequestError(sentence, response.status, "unavailable");
  }
}

function checked(bytes: Bytes, length: number, file: string): Bytes {
  if (bytes.byteLength >= length) return bytes;
  throw cutShort(file);
}

const cutShort = (file: string): RequestError =>
  new RequestError(`a file of this site is cut short, copy its folder again: data/${file}.bin`, 502, "unavailable");

/** Groups of parts with small gaps, in the order of the file. */
function nearby(parts: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = [];
  let start = 0;
  let stop = -Infinity;
  for (const part of [...parts].sort((a, b) => a.offset - b.offset)) {
    const end = part.offset + part.length;
    if (part.offset - stop > MAX_GAP || end - start > MAX_RANGE) {
      groups.push([]);
      start = part.offset;
      stop = end;
    }
    groups.at(-1)!.push(part);
    stop = Math.max(stop, end);
  }
  return groups;
}

/** Decompression of blobs and of the index. What is stored is a deflate stream without an end, so that many can be one stream. */

import { inflateSync } from "fflate";
import { RequestError } from "../../request";

type Bytes = Uint8Array<ArrayBuffer>;

/** The last block of a stream (format/site_files.py). */
const END = Uint8Array.of(3, 0);
/** A stream takes a millisecond whatever its length. */
const MAX_SYNC_BYTES = 256 << 10;
/** Short blobs are decompressed into one buffer and copied: fflate would allocate 128 kB for each, most of its time. */
const MAX_SHARED_BYTES = 32 << 10;
const shared = new Uint8Array(16 * MAX_SHARED_BYTES);

/** Returns a buffer of its own: columns have to begin at a multiple of eight bytes. */
export function inflate(bytes: Bytes): Promise<Bytes> {
  return checked(() => (bytes.byteLength <= MAX_SYNC_BYTES ? inflateAtOnce(bytes) : inflateStream([bytes])));
}

/** The contents of several blobs, one after the other, several times as fast as one by one. */
export function inflateJoined(blobs: readonly Bytes[]): Promise<Bytes> {
  return checked(() => inflateStream(blobs));
}

async function checked(decompress: () => Bytes | Promise<Bytes>): Promise<Bytes> {
  try {
    return await decompress();
  } catch (cause) {
    throw damaged(cause);
  }
}

export const damaged = (cause: unknown): RequestError =>
  new RequestError("a file of this site is damaged: copy or publish it again", 422, "undecodable", {}, { cause });

async function inflateStream(blobs: readonly Bytes[]): Promise<Bytes> {
  const stream = new Blob([...blobs, END]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function inflateAtOnce(bytes: Bytes): Bytes {
  const ended = new Uint8Array(bytes.byteLength + END.byteLength);
  ended.set(bytes);
  ended.set(END, bytes.byteLength);
  return (bytes.byteLength <= MAX_SHARED_BYTES && inflateShared(ended)) || (inflateSync(ended) as Bytes);
}

/** Null if the content may be longer than the shared buffer. */
function inflateShared(bytes: Bytes): Bytes | null {
  try {
    const content = inflateSync(bytes, { out: shared });
    return content.byteLength < shared.byteLength ? (content.slice() as Bytes) : null;
  } catch (failure) {
    if (failure instanceof RangeError) return null; // a stored block that does not fit
    throw failure;
  }
}

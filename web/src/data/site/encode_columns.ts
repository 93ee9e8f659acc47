/** Columns in the format of columns.ts, for answers that the page computes itself. */

import type { NumberColumn } from "../columns";

const MAGIC = "SEAMARK1";
const TYPES = new Map<unknown, string>([
  [Float64Array, "f64"],
  [Float32Array, "f32"],
  [Int32Array, "i32"],
  [Uint32Array, "u32"],
  [Uint16Array, "u16"],
  [Uint8Array, "u8"],
]);
const padded = (size: number): number => Math.ceil(size / 8) * 8;

export function encodeColumns(
  header: Readonly<Record<string, unknown>>,
  columns: Readonly<Record<string, NumberColumn>>,
  shared: ReadonlySet<string> = new Set(),
): Uint8Array<ArrayBuffer> {
  let size = 0;
  const entries = Object.entries(columns).map(([name, column]) => {
    const entry = { name, type: TYPES.get(column.constructor), offset: size, count: column.length };
    size += padded(column.byteLength);
    return shared.has(name) ? { ...entry, shared: true } : entry;
  });
  const { bytes, body } = withHeader({ ...header, columns: entries }, size);
  Object.values(columns).forEach((column, index) => {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), body + entries[index]!.offset);
  });
  return bytes;
}

/** Several blocks in one, with the error in place of each that failed. */
export function encodeBatch(blocks: readonly (Uint8Array | Error)[]): Uint8Array<ArrayBuffer> {
  const responses = blocks.map((block) =>
    block instanceof Error ? { error: block.message } : { bytes: block.byteLength },
  );
  const found = blocks.filter((block): block is Uint8Array => !(block instanceof Error));
  const { bytes, body } = withHeader(
    { responses },
    found.reduce((sum, block) => sum + block.byteLength, 0),
  );
  let at = body;
  for (const block of found) {
    bytes.set(block, at);
    at += block.byteLength;
  }
  return bytes;
}

function withHeader(header: object, bodyBytes: number): { bytes: Uint8Array<ArrayBuffer>; body: number } {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const body = 16 + padded(text.byteLength);
  const bytes = new Uint8Array(body + bodyBytes);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(8, body - 16, true);
  bytes.fill(0x20, 16, body);
  bytes.set(text, 16);
  return { bytes, body };
}

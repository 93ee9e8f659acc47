/**
 * Columns as the server sends them: "SEAMARK1", the length of a JSON header, the header, then raw little-endian columns,
 * each starting on a multiple of eight bytes. docs/http.md describes the format; plugin/columns.py writes it.
 */

export type Column = Float64Array | Uint32Array;

interface ColumnEntry {
  readonly name: string;
  readonly type: "f64" | "f32" | "i64" | "i32" | "u64" | "u32" | "u16" | "u8";
  readonly offset: number;
  readonly count: number;
  /** Sent once for all runs: run i has its first offsets[i + 1] − offsets[i] entries. */
  readonly shared?: boolean;
}

export interface ColumnBlock {
  readonly header: Readonly<Record<string, unknown>>;
  readonly columns: Readonly<Record<string, Column>>;
}

const MAGIC = "SEAMARK1";
const PREFIX_BYTES = 16;

export function decodeColumns(buffer: ArrayBuffer, start = 0): ColumnBlock {
  const { header, body } = decodeHeader<{ columns: ColumnEntry[] } & Record<string, unknown>>(buffer, start);
  const columns = Object.fromEntries(
    header.columns.map((entry) => [entry.name, view(buffer, body + entry.offset, entry)]),
  );
  for (const { name, shared } of header.columns)
    if (shared) columns[name] = spreadOut(columns[name]!, columns.offsets!);
  return { header, columns };
}

/** The header of a block, and where what follows it begins. */
function decodeHeader<Header>(buffer: ArrayBuffer, start: number): { header: Header; body: number } {
  const magic = String.fromCharCode(...new Uint8Array(buffer, start, Math.min(8, buffer.byteLength - start)));
  if (magic !== MAGIC || buffer.byteLength - start < PREFIX_BYTES) {
    throw new Error(`the answer is not a block of columns: it starts with "${magic}", want "${MAGIC}"`);
  }
  const headerBytes = new DataView(buffer).getUint32(start + 8, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, start + PREFIX_BYTES, headerBytes));
  return { header: JSON.parse(text) as Header, body: start + PREFIX_BYTES + headerBytes };
}

/** Several blocks in one answer; in place of one that could not be made, a sentence that says why. */
export function decodeBatch(buffer: ArrayBuffer): (ColumnBlock | Error)[] {
  const { header, body } = decodeHeader<{ responses: ({ readonly bytes: number } | { readonly error: string })[] }>(
    buffer,
    0,
  );
  let at = body;
  return header.responses.map((answer) => {
    if ("error" in answer) return new Error(answer.error);
    at += answer.bytes;
    return decodeColumns(buffer, at - answer.bytes);
  });
}

/** One column for all runs becomes one after the other. */
function spreadOut(column: Column, offsets: Column): Column {
  const rows = offsets.at(-1) ?? 0;
  const out = column instanceof Float64Array ? new Float64Array(rows) : new Uint32Array(rows);
  for (let run = 0; run + 1 < offsets.length; run += 1)
    out.set(column.subarray(0, offsets[run + 1]! - offsets[run]!), offsets[run]);
  return out;
}

function view(buffer: ArrayBuffer, offset: number, { type, count }: ColumnEntry): Column {
  if (type === "f64") return new Float64Array(buffer, offset, count);
  if (type === "u32") return new Uint32Array(buffer, offset, count);
  if (type === "f32") return new Float64Array(new Float32Array(buffer, offset, count));
  if (type === "i32") return new Float64Array(new Int32Array(buffer, offset, count));
  if (type === "u16") return new Uint32Array(new Uint16Array(buffer, offset, count));
  if (type === "u8") return new Uint32Array(new Uint8Array(buffer, offset, count));
  return toDoubles(new DataView(buffer, offset, count * 8), count, type === "i64");
}

/** Steps and counts are exact up to 2^53, which is as far as a screen needs them. */
function toDoubles(words: DataView, count: number, signed: boolean): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    const high = signed ? words.getInt32(i * 8 + 4, true) : words.getUint32(i * 8 + 4, true);
    out[i] = high * 2 ** 32 + words.getUint32(i * 8, true);
  }
  return out;
}

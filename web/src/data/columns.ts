/**
 * Columns as the server sends them: "SEAMARK1", the length of a JSON header, the header, then raw little-endian columns,
 * each starting on a multiple of eight bytes. docs/http.md describes the format; serve/columns.py writes it.
 */

export type Column = Float64Array | Uint32Array;

interface ColumnEntry {
  readonly name: string;
  readonly type: "f64" | "i64" | "u64" | "u32";
  readonly offset: number;
  readonly count: number;
}

export interface ColumnBlock {
  readonly header: Readonly<Record<string, unknown>>;
  readonly columns: Readonly<Record<string, Column>>;
}

const MAGIC = "SEAMARK1";
const PREFIX_BYTES = 16;

export function decodeColumns(buffer: ArrayBuffer): ColumnBlock {
  const magic = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(8, buffer.byteLength)));
  if (magic !== MAGIC || buffer.byteLength < PREFIX_BYTES) {
    throw new Error(`the answer is not a block of columns: it starts with "${magic}", want "${MAGIC}"`);
  }
  const headerBytes = new DataView(buffer).getUint32(8, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, PREFIX_BYTES, headerBytes));
  const header = JSON.parse(text) as { columns: ColumnEntry[] } & Record<string, unknown>;
  const body = PREFIX_BYTES + headerBytes;
  return {
    header,
    columns: Object.fromEntries(header.columns.map((entry) => [entry.name, view(buffer, body + entry.offset, entry)])),
  };
}

function view(buffer: ArrayBuffer, offset: number, { type, count }: ColumnEntry): Column {
  if (type === "f64") return new Float64Array(buffer, offset, count);
  if (type === "u32") return new Uint32Array(buffer, offset, count);
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

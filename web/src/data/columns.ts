/**
 * Columns as the server sends them: "SEAMARK1", the length of a JSON header, the header, then raw little-endian columns,
 * each starting on a multiple of eight bytes. docs/http.md describes the format; plugin/columns.py writes it.
 */

/** Numbers as they were sent. 64-bit integers are float64, which is exact up to 2^53. */
export type NumberColumn = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

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
  readonly columns: Readonly<Record<string, NumberColumn>>;
  /** Columns that are there once for all runs: run i has their first offsets[i + 1] − offsets[i] values. */
  readonly shared: ReadonlySet<string>;
}

const MAGIC = "SEAMARK1";
const PREFIX_BYTES = 16;
const DECODER = new TextDecoder();
const ALIGNMENT = 8;

export const decodeColumns = (buffer: ArrayBuffer, start = 0): ColumnBlock => decodeAt(buffer, start).block;

/** Blocks that follow one another up to the end of a buffer. */
export function decodeSequence(buffer: ArrayBuffer): ColumnBlock[] {
  const blocks: ColumnBlock[] = [];
  for (let at = 0; at < buffer.byteLength;) {
    const { block, end } = decodeAt(buffer, at);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

function decodeAt(buffer: ArrayBuffer, start: number): { block: ColumnBlock; end: number } {
  const { header, body } = decodeHeader<{ columns: ColumnEntry[] } & Record<string, unknown>>(buffer, start);
  const columns: Record<string, NumberColumn> = {};
  const shared = new Set<string>();
  let end = body;
  for (const entry of header.columns) {
    columns[entry.name] = view(buffer, body + entry.offset, entry);
    if (entry.shared) shared.add(entry.name);
    end = Math.max(end, body + entry.offset + padded(entry.count * BYTES[entry.type]));
  }
  return { block: { header, columns, shared }, end };
}

const padded = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** A column with a value for every row, also where the block has it once for all runs. */
export function rowColumn(
  { columns, shared }: { readonly columns: ColumnBlock["columns"]; readonly shared?: ReadonlySet<string> },
  name: string,
): NumberColumn | undefined {
  const column = columns[name];
  return column && shared?.has(name) ? repeatPrefixes(column, columns.offsets!) : column;
}

/** The first offsets[i + 1] − offsets[i] values of the column for each i, one after the other. */
export function repeatPrefixes<Column extends NumberColumn>(column: Column, offsets: ArrayLike<number>): Column {
  const out = new (column.constructor as new (length: number) => Column)(offsets[offsets.length - 1] ?? 0);
  for (let run = 0; run + 1 < offsets.length; run += 1)
    out.set(column.subarray(0, offsets[run + 1]! - offsets[run]!), offsets[run]!);
  return out;
}

/** The header of a block, and where what follows it begins. */
function decodeHeader<Header>(buffer: ArrayBuffer, start: number): { header: Header; body: number } {
  if (!hasMagic(buffer, start)) {
    const found = DECODER.decode(new Uint8Array(buffer, start, Math.min(8, buffer.byteLength - start)));
    throw new Error(`the response is not a block of columns: it starts with "${found}", want "${MAGIC}"`);
  }
  const headerBytes = new DataView(buffer).getUint32(start + 8, true);
  const text = DECODER.decode(new Uint8Array(buffer, start + PREFIX_BYTES, headerBytes));
  return { header: JSON.parse(text) as Header, body: start + PREFIX_BYTES + headerBytes };
}

function hasMagic(buffer: ArrayBuffer, start: number): boolean {
  if (buffer.byteLength - start < PREFIX_BYTES) return false;
  const bytes = new Uint8Array(buffer, start, MAGIC.length);
  for (let at = 0; at < MAGIC.length; at += 1) if (bytes[at] !== MAGIC.charCodeAt(at)) return false;
  return true;
}

/** The blocks of a batch, with an error in place of each that failed. */
export function decodeBatch(buffer: ArrayBuffer): (ColumnBlock | Error)[] {
  const { header, body } = decodeHeader<{ responses: ({ readonly bytes: number } | { readonly error: string })[] }>(
    buffer,
    0,
  );
  let at = body;
  return header.responses.map((response) => {
    if ("error" in response) return new Error(response.error);
    at += response.bytes;
    return decodeColumns(buffer, at - response.bytes);
  });
}

const BYTES = { f64: 8, i64: 8, u64: 8, f32: 4, i32: 4, u32: 4, u16: 2, u8: 1 } as const;
const ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;

function view(buffer: ArrayBuffer, offset: number, { type, count }: ColumnEntry): NumberColumn {
  if (type === "i64" || type === "u64")
    return toDoubles(new DataView(buffer, offset, count * 8), count, type === "i64");
  return new ARRAYS[type](buffer, offset, count);
}

function toDoubles(words: DataView, count: number, signed: boolean): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    const high = signed ? words.getInt32(i * 8 + 4, true) : words.getUint32(i * 8 + 4, true);
    out[i] = high * 2 ** 32 + words.getUint32(i * 8, true);
  }
  return out;
}

/** Rows in a random order with a fixed seed: the first so many of them are a fair sample, the same in every frame. */

export class RowSample {
  /** All placed rows, ascending. */
  readonly all: Uint32Array;
  #shuffled: Uint32Array | null = null;
  #sample: Uint32Array | null = null;

  constructor(x: Float32Array) {
    let count = 0;
    const rows = new Uint32Array(x.length);
    for (let row = 0; row < x.length; row += 1) if (x[row]! - x[row]! === 0) rows[count++] = row;
    this.all = rows.subarray(0, count);
  }

  /** At most so many random rows, in an order that never changes. */
  first(count: number): Uint32Array {
    this.#shuffled ??= shuffled(this.all);
    return this.#shuffled.subarray(0, count);
  }

  /** At most so many random rows, ascending: in order of memory they are drawn faster. */
  take(count: number): Uint32Array {
    if (count >= this.all.length) return this.all;
    if (this.#sample?.length !== count) {
      this.#sample = this.first(count).slice().sort();
    }
    return this.#sample;
  }
}

function shuffled(rows: Uint32Array): Uint32Array {
  const out = rows.slice();
  let state = 42;
  for (let last = out.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 4294967296) * (last + 1));
    const row = out[last]!;
    out[last] = out[other]!;
    out[other] = row;
  }
  return out;
}

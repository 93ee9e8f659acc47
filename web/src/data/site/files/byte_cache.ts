/** Values that are loaded once, up to so many bytes; the least recently used are dropped. What fails is loaded again. */

export class ByteCache<Key, Value> {
  /** The one used last at the end. */
  readonly #entries = new Map<Key, { readonly value: Promise<Value>; bytes: number }>();
  #bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly bytesOf: (value: Value) => number,
  ) {}

  get(key: Key, load: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.value;
    }
    const entry = { value: load(), bytes: 0 };
    this.#entries.set(key, entry);
    entry.value.then(
      (value) => {
        if (this.#entries.get(key) !== entry) return;
        entry.bytes = this.bytesOf(value);
        this.#bytes += entry.bytes;
        this.#shrink(key);
      },
      () => this.#entries.delete(key),
    );
    return entry.value;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  #shrink(newest: Key): void {
    for (const [key, { bytes }] of this.#entries) {
      if (this.#bytes <= this.maxBytes) return;
      // One that is still loading has no size yet.
      if (key === newest || bytes === 0) continue;
      this.#entries.delete(key);
      this.#bytes -= bytes;
    }
  }
}

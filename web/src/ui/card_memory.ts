/** What a person set on single cards, kept in the address: only what differs from how a card begins. */

interface Url {
  get(name: string): string | undefined;
  set(name: string, value: string | undefined, options?: { readonly push?: boolean }): void;
}

type Fields = Record<string, unknown>;

export class CardMemory {
  constructor(
    private readonly url: Url,
    private readonly name = "cards",
  ) {}

  /** What is kept of a card. Addresses come from anywhere: check what you take out. */
  of(key: string): Readonly<Fields> {
    return this.#all()[key] ?? {};
  }

  /** Undefined forgets a field. */
  change(key: string, change: Fields): void {
    const all = this.#all();
    const fields = Object.fromEntries(
      Object.entries({ ...all[key], ...change }).filter(([, value]) => value !== undefined),
    );
    const { [key]: _, ...others } = all;
    const kept = Object.keys(fields).length > 0 ? { ...others, [key]: fields } : others;
    this.url.set(this.name, Object.keys(kept).length > 0 ? JSON.stringify(kept) : undefined);
  }

  /** Names kept in a list, such as the sections that are closed. */
  names(list: string): ReadonlySet<string> {
    const found = parsed(this.url.get(list));
    return new Set(Array.isArray(found) ? found.filter((name) => typeof name === "string") : []);
  }

  toggle(list: string, name: string): void {
    const names = new Set(this.names(list));
    if (!names.delete(name)) names.add(name);
    this.url.set(list, names.size > 0 ? JSON.stringify([...names]) : undefined);
  }

  #all(): Readonly<Record<string, Fields>> {
    const found = parsed(this.url.get(this.name));
    if (typeof found !== "object" || found === null || Array.isArray(found)) return {};
    return Object.fromEntries(
      Object.entries(found).filter(([, fields]) => typeof fields === "object" && fields !== null),
    ) as Record<string, Fields>;
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** AddressValue: a value in the page's address, or, where its text is too long for that, on the server with its id there. */

import { messageOf, Resource, type DashboardContext } from "$public/core";

/** Programs cut longer links. */
const MAX_CHARACTERS = 2000;
/** How an id in the address begins; no text of a value does. */
const ID_MARK = "@";

export interface AddressCodec<Value> {
  /** undefined if there is nothing to save. */
  encode(value: Value): string | undefined;
  /** The text may be anything. */
  decode(text: string | undefined): Value;
}

export class AddressValue<Value> {
  /** What was set here, and the text of the address then: the address of another moment has another value. */
  #own = $state.raw<{ readonly value: Value; readonly text: string | undefined } | null>(null);
  readonly #saved: Resource<string, string>;
  #saveError = $state("");

  constructor(
    private readonly context: Pick<DashboardContext, "url" | "saved">,
    private readonly name: string,
    private readonly codec: AddressCodec<Value>,
  ) {
    this.#saved = new Resource((id, signal) => context.saved.loadText(id, signal));
    $effect(() => {
      if (this.#id !== null) this.#saved.load(this.#id);
    });
  }

  readonly #text = $derived.by(() => this.context.url.get(this.name));
  /** Of a text that another page saved. */
  readonly #id = $derived.by((): string | null => {
    const isOwn = this.#own !== null && this.#own.text === this.#text;
    return !isOwn && this.#text?.startsWith(ID_MARK) ? this.#text.slice(ID_MARK.length) : null;
  });

  readonly value = $derived.by((): Value => {
    if (this.#own && this.#own.text === this.#text) return this.#own.value;
    if (this.#id === null) return this.codec.decode(this.#text);
    const { loaded } = this.#saved;
    return this.codec.decode(loaded?.request === this.#id ? loaded.value : undefined);
  });

  /** Why a link to this page would not have the value, or why the one in the address is not there. */
  readonly problem = $derived.by(() => (this.#id === null ? this.#saveError : this.#saved.error));

  set(value: Value): void {
    const text = this.codec.encode(value);
    const isLong = text !== undefined && text.length > MAX_CHARACTERS;
    this.#saveError = "";
    this.#show(value, isLong ? undefined : text);
    if (isLong) void this.#save(value, text);
  }

  async #save(value: Value, text: string): Promise<void> {
    let id = "";
    let error = "";
    try {
      id = await this.context.saved.saveText(text);
    } catch (failure) {
      error = `not in the link: ${messageOf(failure)}`;
    }
    if (this.#own?.value !== value) return; // another one was set meanwhile
    if (id !== "") this.#show(value, ID_MARK + id);
    this.#saveError = error;
  }

  #show(value: Value, text: string | undefined): void {
    this.#own = { value, text };
    this.context.url.set(this.name, text);
  }
}

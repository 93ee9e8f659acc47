/** Puts a text into the clipboard and says so for a moment. Made while a component is. */

const TOLD_MS = 1500;

export class Copying {
  /** What there is to say, or "". */
  told = $state("");
  readonly isDone = $derived(this.told === "Copied");
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly refusal: string) {
    $effect(() => () => clearTimeout(this.#timer));
  }

  async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.told = "Copied";
    } catch {
      // A page that came over plain HTTP from another machine has no clipboard.
      this.told = this.refusal;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.told = ""), TOLD_MS);
  }
}

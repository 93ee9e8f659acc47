/** Names shortened to the room they have, by the widths of their letters: measuring each text would cost the frame. */

const ESTIMATED_LETTER_PX = 6;
const MAX_CACHED = 50_000;
const MIN_LETTERS = 3;

export class TextFitter {
  readonly #letters = new Map<string, number>();
  #shortened = new Map<string, string>();

  /** `measure` gives the width of a letter in pixels. */
  constructor(private readonly measure: (letter: string) => number = () => ESTIMATED_LETTER_PX) {}

  /** The text, its beginning with "…", or "" if there is no room for some letters. */
  fit(text: string, room: number): string {
    const ellipsis = this.#widthOf("…");
    let [width, fitting] = [0, 0];
    for (let index = 0; index < text.length; index += 1) {
      width += this.#widthOf(text[index]!);
      if (width <= room - ellipsis) fitting = index + 1;
      if (width > room) return fitting < MIN_LETTERS ? "" : this.#cut(text, fitting);
    }
    return text;
  }

  #cut(text: string, letters: number): string {
    const key = `${letters} ${text}`;
    let cut = this.#shortened.get(key);
    if (cut === undefined) {
      if (this.#shortened.size >= MAX_CACHED) this.#shortened = new Map();
      this.#shortened.set(key, (cut = `${text.slice(0, letters)}…`));
    }
    return cut;
  }

  #widthOf(letter: string): number {
    let width = this.#letters.get(letter);
    if (width === undefined) this.#letters.set(letter, (width = this.measure(letter)));
    return width;
  }
}

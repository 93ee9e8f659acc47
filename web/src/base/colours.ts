/** A run has one colour everywhere and keeps it: colours go out in the order in which runs are first seen. */

const PALETTE_SIZE = 24;
/** From here on a hue family repeats, so the line is dashed as well (see tokens.css). */
const DASHED_FROM = 12;

export interface RunStyle {
  readonly token: string;
  readonly dashed: boolean;
}

export class RunColours {
  readonly #styles = new Map<string, RunStyle>();

  of(run: string): RunStyle {
    const known = this.#styles.get(run);
    if (known) return known;
    const place = this.#styles.size % PALETTE_SIZE;
    const style = { token: `--run-${place + 1}`, dashed: place >= DASHED_FROM };
    this.#styles.set(run, style);
    return style;
  }
}

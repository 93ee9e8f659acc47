/** Heights of cards that decide them themselves: measured while they are on the screen, and stored after that. */

export class Heights {
  readonly #byCard = new Map<string, number>();
  readonly #byGroup = new Map<string, number>();
  /** One signal for all: a layout reads every height at once. */
  #version = $state(0);

  /** A card that was not measured yet is assumed to be as high as the last one of its group. */
  of(card: string, group: string): number | undefined {
    void this.#version;
    return this.#byCard.get(card) ?? this.#byGroup.get(group);
  }

  /** Returns whether the height is new. */
  set(card: string, group: string, height: number): boolean {
    if (height <= 0 || this.#byCard.get(card) === height) return false;
    this.#byCard.set(card, height);
    this.#byGroup.set(group, height);
    this.#version += 1;
    return true;
  }
}

/** Rectangles of one colour, drawn together. The memory stays for the next frame. */

export class RectList {
  #values = new Float32Array(256);
  #length = 0;

  get length(): number {
    return this.#length >> 2;
  }

  clear(): void {
    this.#length = 0;
  }

  push(x: number, y: number, width: number, height: number): void {
    if (this.#length + 4 > this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    const at = this.#length;
    this.#values[at] = x;
    this.#values[at + 1] = y;
    this.#values[at + 2] = width;
    this.#values[at + 3] = height;
    this.#length = at + 4;
  }

  /** With the fill of the context; `height` instead of each one's own. */
  fill(context: CanvasRenderingContext2D, height?: number): void {
    const values = this.#values;
    for (let at = 0; at < this.#length; at += 4)
      context.fillRect(values[at]!, values[at + 1]!, values[at + 2]!, height ?? values[at + 3]!);
  }

  /** A line inside each rectangle, with the stroke of the context. */
  outline(context: CanvasRenderingContext2D): void {
    const values = this.#values;
    for (let at = 0; at < this.#length; at += 4)
      context.strokeRect(values[at]! + 0.5, values[at + 1]! + 0.5, Math.max(values[at + 2]! - 1, 0), values[at + 3]! - 1); // prettier-ignore
  }
}

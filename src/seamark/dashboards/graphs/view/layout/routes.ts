/** Lists of points, one for each edge, that are appended to. */

export interface Routes {
  readonly pointStarts: Int32Array;
  readonly points: Float64Array;
}

export class RouteBuilder {
  readonly #points: number[] = [];
  readonly #starts: number[] = [0];

  /** Leaves out a point that the route reaches anyway. */
  add(x: number, y: number): void {
    const points = this.#points;
    const held = points.length - 2 * this.#starts[this.#starts.length - 1]!;
    const [x1, y1] = [points[points.length - 2], points[points.length - 1]];
    if (held >= 2 && x1 === x && y1 === y) return;
    if (held >= 4) {
      const [x0, y0] = [points[points.length - 4], points[points.length - 3]];
      if ((x0 === x1 && x1 === x) || (y0 === y1 && y1 === y)) points.length -= 2;
    }
    points.push(x, y);
  }

  append({ pointStarts, points }: Routes, route: number, dx: number, dy: number): void {
    for (let at = pointStarts[route]!; at < pointStarts[route + 1]!; at += 1)
      this.add(points[2 * at]! + dx, points[2 * at + 1]! + dy);
  }

  /** Ends the current route. */
  end(): void {
    this.#starts.push(this.#points.length / 2);
  }

  build(): Routes {
    return { pointStarts: Int32Array.from(this.#starts), points: Float64Array.from(this.#points) };
  }
}

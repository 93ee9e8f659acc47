/** The folders that `add_scalars` and `add_hparams` make: runs of their own on disk, parts of a training in the list. */

import type { Run } from "../../data/api";

export interface Part {
  readonly name: string;
  /** The run whose row it is part of. */
  readonly row: string;
  /** The key that `add_scalars` was given; "" for a folder of `add_hparams`. */
  readonly curve: string;
  /** Its place among the keys of one `add_scalars`, the same in all runs. */
  readonly place: number;
}

const NO_PARTS: readonly Part[] = [];
const SHADES = 3;

export class Parts {
  readonly #byName = new Map<string, Part>();
  readonly #byRow = new Map<string, Part[]>();

  constructor(runs: readonly Pick<Run, "name" | "merged_into" | "curve">[]) {
    const known = new Set(runs.map(({ name }) => name));
    const places = new Map<string, Map<string, number>>();
    for (const { name, merged_into: row, curve = "" } of runs) {
      if (row === undefined || !known.has(row)) continue;
      const prefix = curve === "" ? "" : name.slice(row === "." ? 0 : row.length + 1, name.length - curve.length);
      const keys = places.get(prefix) ?? new Map<string, number>();
      places.set(prefix, keys);
      if (!keys.has(curve)) keys.set(curve, keys.size);
      const part = { name, row, curve, place: keys.get(curve)! };
      this.#byName.set(name, part);
      this.#byRow.set(row, [...(this.#byRow.get(row) ?? NO_PARTS), part]);
    }
  }

  get size(): number {
    return this.#byName.size;
  }

  get(name: string): Part | undefined {
    return this.#byName.get(name);
  }

  rowOf(name: string): string {
    return this.#byName.get(name)?.row ?? name;
  }

  of(row: string): readonly Part[] {
    return this.#byRow.get(row) ?? NO_PARTS;
  }
}

/** The row's colour: solid, dashed, and then paler. A dash means the same in the curves of all runs. */
export function partStyle<S extends { readonly token: string; readonly dashed: boolean }>(row: S, place: number): S {
  const shade = (place >> 1) % SHADES;
  return { ...row, token: shade === 0 ? row.token : `${row.token} ${shade * 30}%`, dashed: place % 2 === 1 };
}

/** How an axis bends: linear, log, or symlog, which is linear around zero and logarithmic on both sides of it. */

export type ScaleKind = "linear" | "log" | "symlog";

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Scale {
  readonly kind: ScaleKind;
  /** Where symlog turns from linear to logarithmic. */
  readonly constant: number;
}

export const LINEAR: Scale = { kind: "linear", constant: 1 };

/** From data to the straight line on which the axis is drawn; NaN for what the axis cannot show. */
export function project({ kind, constant }: Scale, value: number): number {
  if (kind === "linear") return value;
  if (kind === "log") return value > 0 ? Math.log10(value) : NaN;
  return Math.sign(value) * Math.log10(1 + Math.abs(value) / constant);
}

export function invert({ kind, constant }: Scale, bent: number): number {
  if (kind === "linear") return bent;
  if (kind === "log") return 10 ** bent;
  return Math.sign(bent) * (10 ** Math.abs(bent) - 1) * constant;
}

/** A power of ten below which values count as "around zero": small ones stay apart, noise does not fill the axis. */
export function symlogConstant(values: Iterable<number>): number {
  const sizes = Float64Array.from([...values].map(Math.abs).filter((size) => size > 0 && size < Infinity)).sort();
  const small = sizes[Math.floor(sizes.length * 0.05)];
  return small === undefined ? 1 : 10 ** Math.floor(Math.log10(small));
}

/** The part of [from, to] at `share` of its drawn length; shares outside 0…1 lie beyond the ends. */
export function between(scale: Scale, { from, to }: Range, share: number): number {
  const start = project(scale, from);
  return invert(scale, start + (project(scale, to) - start) * share);
}

/** The inverse of `between`. */
export function shareOf(scale: Scale, { from, to }: Range, value: number): number {
  const start = project(scale, from);
  return (project(scale, value) - start) / (project(scale, to) - start);
}

/** A range that can be drawn: in order, not empty, and positive on a log axis. */
export function drawable({ kind }: Scale, { from, to }: Range): Range {
  let low = Math.min(from, to);
  let high = Math.max(from, to);
  if (kind === "log") {
    if (!(high > 0)) return { from: 0.1, to: 1 };
    if (!(low > 0)) low = high / 1e6;
    if (low === high) return { from: low / 1.1, to: high * 1.1 };
  }
  if (low === high) {
    const air = Math.abs(low) * 0.1 || 1;
    low -= air;
    high += air;
  }
  return { from: low, to: high };
}

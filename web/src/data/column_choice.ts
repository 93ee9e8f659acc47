/** Which columns tell runs apart. */

import type { ColumnInfo } from "./table";

/** Does it differ between runs? What only some have tells them apart, too, but less well. */
export const varies = (column: ColumnInfo, runs: number): boolean => column.runs < runs || differs(column);

/** Are there several values, where there are any? */
export const differs = ({ values, low, high }: ColumnInfo): boolean =>
  values ? values.length > 1 : low === null || low === undefined || low !== high;

const SEED =
  /(^|[._/-])(seed\d*|random_seed|rng|rng_seed|random_state|replicate|replica|repeat|fold)([._/-]|$)|_seed$|Seed$/;

/** Runs that differ in nothing but this are the same run, tried again. */
export const isSeed = (name: string): boolean => SEED.test(name);

/** The settings that differ, without the seed: runs that agree in all of them were tried again. */
export const settings = (columns: readonly ColumnInfo[], runs: number): ColumnInfo[] =>
  columns.filter((column) => column.source === "param" && varies(column, runs) && !isSeed(column.name));

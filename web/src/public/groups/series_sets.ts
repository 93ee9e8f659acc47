import { rowOf, valueAt } from "../../chart/pick";
import { EMPTY_SET, seriesOf, withRowX, xAt } from "../../chart/series";
import { shownIn } from "../../chart/spec";
import { lineKey, runOfKey, tagOfKey } from "../scalar_card/combine";

/**
 * Sets of series: from the server's columns, with an x for each row, empty; a row at an x; the value
 * of a row, and whether it was logged; the ranges that a chart shows;
 * the key of a series among several tags, and the run and tag in it.
 */
export const seriesSets = {
  EMPTY: EMPTY_SET,
  of: seriesOf,
  withRowX,
  xAt,
  rowOf,
  valueAt,
  shownIn,
  keyOf: lineKey,
  runOf: runOfKey,
  tagOf: tagOfKey,
} as const;

import { rowOf } from "../../chart/pick";
import { EMPTY_SET, seriesOf, withRowX, xAt } from "../../chart/series";
import { shownIn } from "../../chart/spec";

/** Sets of series: from the server's columns, with an x for each row, empty; a row at an x; the ranges that a chart shows. */
export const seriesSets = { EMPTY: EMPTY_SET, of: seriesOf, withRowX, xAt, rowOf, shownIn } as const;

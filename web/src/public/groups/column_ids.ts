import { infoOf, metricId, parseColumnId, STAT_WORDS, STATS, titleOf } from "../../data/column_id";

/** Ids of columns such as `metric:val/loss:min`: made, parsed, named and looked up. */
export const columnIds = {
  metric: metricId,
  parse: parseColumnId,
  title: titleOf,
  info: infoOf,
  stats: STATS,
  statWords: STAT_WORDS,
} as const;

import {
  counted,
  formatBytes,
  formatCount,
  formatMicroseconds,
  formatSeconds,
  formatShort,
  formatValue,
} from "../../base/format";

/** Numbers for people. */
export const format = {
  value: formatValue,
  count: formatCount,
  bytes: formatBytes,
  short: formatShort,
  seconds: formatSeconds,
  microseconds: formatMicroseconds,
  counted,
} as const;

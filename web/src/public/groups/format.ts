import { counted, formatBytes, formatCount, formatSeconds, formatValue } from "../../base/format";

/** Numbers for people. */
export const format = {
  value: formatValue,
  count: formatCount,
  bytes: formatBytes,
  seconds: formatSeconds,
  counted,
} as const;

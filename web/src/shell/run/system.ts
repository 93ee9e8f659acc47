/** How busy the machine was: the scalars `system/…` as a few small charts, the telling ones first. */

import { formatBytes, formatCount } from "../../base/format";
import { byName } from "../../base/tags";
import { SYSTEM } from "./tiles";

export interface SystemChart {
  readonly title: string;
  /** One line each: several GPUs share a chart. */
  readonly tags: readonly string[];
  readonly unit: string;
}

const GPU = /^system\/gpu\/(\d+)\/(.+)$/;
/** Titles of what seamark.init logs, in the order they are shown; everything else follows under its own name. */
const KNOWN: readonly (readonly [string, string])[] = [
  ["gpu/use_percent", "GPU use"],
  ["gpu/memory_percent", "GPU memory"],
  ["gpu/memory_gb", "GPU memory used"],
  ["gpu/power_watts", "GPU power"],
  ["gpu/temperature_celsius", "GPU temperature"],
  ["cpu/use_percent", "CPU"],
  ["process/memory_gb", "Memory of the process"],
  ["process/cpu_percent", "CPU of the process"],
  ["memory/used_percent", "Memory"],
  ["memory/used_gb", "Memory used"],
  ["disk/read_mb_per_sec", "Disk read"],
  ["disk/written_mb_per_sec", "Disk written"],
  ["net/received_mb_per_sec", "Network in"],
  ["net/sent_mb_per_sec", "Network out"],
  ["disk/used_percent", "Disk full"],
  ["disk/free_gb", "Disk free"],
];
const UNITS: readonly (readonly [string, string])[] = [
  ["_percent", "%"],
  ["_mb_per_sec", "MB/s"],
  ["_gb", "GB"],
  ["_watts", "W"],
  ["_celsius", "°C"],
];

export function systemCharts(tags: readonly string[]): SystemChart[] {
  const groups = new Map<string, string[]>();
  for (const tag of tags) {
    if (!tag.startsWith(SYSTEM)) continue;
    const gpu = GPU.exec(tag);
    const key = gpu ? `gpu/${gpu[2]}` : tag.slice(SYSTEM.length);
    groups.set(key, [...(groups.get(key) ?? []), tag]);
  }
  const rank = (key: string): number => {
    const at = KNOWN.findIndex(([known]) => known === key);
    return at < 0 ? KNOWN.length : at;
  };
  return [...groups]
    .sort(([a], [b]) => rank(a) - rank(b) || byName(a, b))
    .map(([key, members]) => ({
      title: KNOWN.find(([known]) => known === key)?.[1] ?? key.replaceAll("_", " "),
      tags: members.sort(byName),
      unit: UNITS.find(([ending]) => key.endsWith(ending))?.[1] ?? "",
    }));
}

export function systemValue(value: number, unit: string): string {
  if (!Number.isFinite(value)) return "–";
  if (unit === "GB") return formatBytes(Math.round(value * 1e9));
  const digits = Math.abs(value) >= 100 || unit === "%" ? 0 : 1;
  const number = formatCount(value, digits);
  return unit === "" ? number : unit === "%" ? `${number}%` : `${number} ${unit}`;
}

/** The sums of an area as rows of a table and as CSV. */

import { format } from "$public/core";
import type { Area, AreaRow, Track } from "../../wire";
import { timeText } from "../../numbers";
import type { MarkedArea } from "../address";

export const trackTitle = (tracks: readonly Track[], track: number): string =>
  track < 0 ? "several" : (tracks[track]?.name.trim() ?? "");

/** "59.5 ms on 3 tracks · 30 slices · device idle 18.1 ms" */
export function areaText(area: MarkedArea, sums: Area | null): string {
  const length = timeText(area.end - area.start);
  if (!sums) return length;
  const parts = [`${length} on ${format.counted(sums.tracks, "track")}`, format.counted(sums.count, "slice")];
  if (sums.device_idle_ns !== null) parts.push(`device idle ${timeText(sums.device_idle_ns)}`);
  return parts.join(" · ");
}

export function sumsCsv(rows: readonly AreaRow[], tracks: readonly Track[], areaNs: number): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map(({ name, track, count, total_ns, self_ns }) =>
    [quoted(name), quoted(trackTitle(tracks, track)), count, total_ns, self_ns, total_ns / areaNs].join(","),
  );
  return ["name,track,count,total_ns,self_ns,share_of_area", ...lines].join("\n");
}

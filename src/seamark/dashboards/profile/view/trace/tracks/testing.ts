/** Tracks for tests. */

import type { CounterEntry, Track } from "../../wire";

export function newTrack(id: number, firstRow: number, rows: number, options: Partial<Track> = {}): Track {
  return {
    id,
    type: "thread",
    name: `thread ${id}`,
    process: "python",
    pid: "41208",
    tid: String(id),
    is_device: false,
    device: -1,
    host: "",
    first_row: firstRow,
    rows,
    slices: 10,
    sort_key: id,
    ...options,
  };
}

export const newCounter = (id: number, process: string, unit = ""): CounterEntry => ({
  id,
  name: `counter ${id}`,
  process,
  unit,
  points: 4,
  limit: null,
});

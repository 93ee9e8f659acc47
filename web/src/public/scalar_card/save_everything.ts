import { saveBlob } from "../../base/save";
import { fetchExport, type TagEntry } from "../../data/api";
import { payloadAttempts } from "../../data/series";
import type { DashboardContext } from "../plugin";

/** All points of these tags in the shown runs: the server makes the file while it is sent. */
export async function saveEverything(
  { runs, settings }: DashboardContext,
  entries: readonly TagEntry[],
  format: "csv" | "parquet",
  onbytes: (bytes: number) => void,
): Promise<void> {
  const request = {
    format,
    tags: entries.map(({ tag }) => tag),
    runs: runs.shown,
    attempts: payloadAttempts(settings.attempts),
  };
  saveBlob(await fetchExport(request, onbytes), `scalars.${format}`);
}

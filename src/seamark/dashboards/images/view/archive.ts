/** Saving: one image as it was logged, or many as one ZIP that the server streams. */

import { request, saveBlob } from "$public/core";
import { fileName, type Picked } from "./model";

/** Servers and proxies refuse longer addresses. */
const LONGEST_ADDRESS = 6000;
const NAME = "images.zip";

export interface ArchiveRequest {
  readonly tags: readonly string[];
  /** Undefined is every run. */
  readonly runs?: readonly string[];
  /** What each series shows at this step, instead of all steps. */
  readonly step?: number;
  readonly attempts: "latest" | "all";
}

export function archiveAddress({ tags, runs, step, attempts }: ArchiveRequest): string {
  const query = new URLSearchParams({ attempts });
  for (const tag of tags) query.append("tag", tag);
  for (const run of runs ?? []) query.append("run", run);
  if (step !== undefined) query.set("step", String(step));
  return `api/dashboards/images/zip?${query}`;
}

/** The browser writes it to disk as it comes; a choice too long for an address is asked for in a body, and held until it is complete. */
export async function saveArchive(archive: ArchiveRequest): Promise<void> {
  const address = archiveAddress(archive);
  if (address.length <= LONGEST_ADDRESS) return follow(address, NAME);
  const response = await request("api/dashboards/images/zip", { body: archive });
  saveBlob(await response.blob(), NAME);
}

export function saveOne(address: string, picked: Picked, mime: string): void {
  follow(address, fileName(picked, mime));
}

function follow(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Saving: one image as it was logged, or many as one ZIP that the server streams. */

import { saveBlob } from "../base/save";
import { saveAddress } from "./media";
import { request as send } from "./request";

/** One picture: of a run and a tag, at a step (null is the newest), one of the step's samples. */
export interface PickedImage {
  readonly run: string;
  readonly tag: string;
  readonly step: number | null;
  readonly sample: number;
}

/** Servers and proxies reject longer addresses. */
const MAX_ADDRESS = 6000;
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

/** The browser writes it to disk as it arrives. A request too long for an address has a body, and is held until it is complete. */
export async function saveArchive(request: ArchiveRequest): Promise<void> {
  const address = archiveAddress(request);
  if (address.length <= MAX_ADDRESS) return saveAddress(address, NAME);
  const response = await send("api/dashboards/images/zip", { body: request });
  saveBlob(await response.blob(), NAME);
}

export function saveImage(address: string, picked: PickedImage, mime: string): void {
  saveAddress(address, fileName(picked, mime));
}

/** A file name that every system takes. */
export function fileName({ run, tag, step, sample }: PickedImage, mime: string): string {
  const ending =
    ({ "image/jpeg": "jpg", "application/octet-stream": "bin" } as Record<string, string>)[mime] ??
    mime.replace(/^.*\//, "");
  const stem = [run, tag, `step ${step ?? 0}`, ...(sample > 0 ? [String(sample)] : [])]
    .join(" ")
    .replace(/[^\p{L}\p{N} ._=+-]+/gu, "_");
  return `${stem.slice(0, 150)}.${ending}`;
}

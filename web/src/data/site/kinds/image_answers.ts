/** Images in a published site: there are no thumbnails, so the image itself is shown. */

import { getKey } from "../request_key";
import { needsServer, storedResponse, type SiteRequest } from "../site_request";

/** Also for the first frame of an animation. */
export async function image({ files, parameters }: SiteRequest): Promise<Response> {
  const wanted = ["run", "tag", "index", "sample"].map((name) => [name, parameters.get(name) ?? "0"] as const);
  const stored = await files.read(getKey("api/payload", [...wanted, ["kind", "images"]]));
  return stored ? storedResponse(stored) : needsServer();
}

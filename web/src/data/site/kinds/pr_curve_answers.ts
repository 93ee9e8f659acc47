/** PR curves of several runs, joined from those of each. */

import { getKey } from "../request_key";
import { jsonResponse, type SiteRequest } from "../site_request";

export async function prCurveSteps({ files, path, parameters }: SiteRequest): Promise<Response> {
  const tag = parameters.get("tag") ?? "";
  return joined(
    parameters.getAll("run").map((run) =>
      files.json(
        getKey(path, [
          ["run", run],
          ["tag", tag],
        ]),
      ),
    ),
  );
}

export async function prCurves({ files, path, parameters }: SiteRequest): Promise<Response> {
  const tag = parameters.get("tag") ?? "";
  const indexes = parameters.getAll("index");
  return joined(
    parameters.getAll("run").map((run, at) =>
      files.json(
        getKey(path, [
          ["run", run],
          ["tag", tag],
          ["index", indexes[at] ?? "0"],
        ]),
      ),
    ),
  );
}

async function joined(parts: readonly Promise<unknown>[]): Promise<Response> {
  return jsonResponse(Object.assign({}, ...(await Promise.all(parts))));
}

/** A published site in place of a server: answers the page's requests from files. It runs in a worker (site_worker.ts). */

import { consoleLines } from "./runs/console_answers";
import { diff } from "./runs/diff_answers";
import { exampleRows } from "./kinds/example_answers";
import { graphView } from "./kinds/graph_answers";
import { histograms } from "./kinds/histogram_answers";
import { image } from "./kinds/image_answers";
import { counter, traceNames, traceWindow } from "./kinds/profile_answers";
import { movement, projected, rowTexts } from "./kinds/projector_answers";
import { prCurves, prCurveSteps } from "./kinds/pr_curve_answers";
import { getKey, postKey } from "./request_key";
import { exportPoints, lastValues, matchTags } from "./series/scalar_answers";
import { SeriesAnswers } from "./series/series_answers";
import type { Manifest } from "./files/manifest";
import { SiteFiles } from "./files/site_files";
import type { SiteQuestion } from "./site_client";
import { jsonResponse, needsServer, storedResponse, type Handler, type SiteRequest } from "./site_request";
import { StateAnswers } from "./state_answers";
import { complete, groups, objective, table, tableColumns } from "./runs/table_answers";
import { importance, trialColumns, trials } from "./runs/trial_answers";
import { searchTexts } from "./kinds/text_answers";

export class Site {
  readonly #handlers: ReadonlyMap<string, Handler>;

  private readonly files: SiteFiles;

  /** `base` is the address of the site's folder. */
  constructor(manifest: Manifest, base: string) {
    const files = (this.files = new SiteFiles(manifest, base));
    const series = new SeriesAnswers(files);
    const state = new StateAnswers(files);
    this.#handlers = new Map<string, Handler>([
      ["GET api/progress", progress],
      ["GET api/series", series.one],
      ["POST api/series", series.one],
      ["POST api/series/batch", series.batch],
      ["GET api/state", state.get],
      ["PATCH api/state", state.patch],
      ["GET api/last", lastValues(series)],
      ["POST api/export", exportPoints(series)],
      ["GET api/histograms", histograms],
      ["GET api/run/console", consoleLines],
      ["POST api/diff", diff],
      ["POST api/table", table],
      ["GET api/table/columns", tableColumns],
      ["POST api/table/complete", complete],
      ["POST api/trials", trials],
      ["POST api/trials/columns", trialColumns],
      ["POST api/groups", groups],
      ["POST api/objective", objective],
      ["POST api/importance", importance],
      ["GET api/dashboards/images/thumbnail", image],
      ["GET api/dashboards/images/frame", image],
      ["GET api/dashboards/pr_curves/steps", prCurveSteps],
      ["GET api/dashboards/pr_curves/curves", prCurves],
      ["GET api/dashboards/text/search", searchTexts],
      ["POST api/dashboards/custom_scalars/match", matchTags],
      ["POST api/dashboards/graphs/view", graphView],
      ["POST api/dashboards/projector/projection", projected],
      ["POST api/dashboards/projector/quality", projected],
      ["POST api/dashboards/projector/movement", movement],
      ["POST api/dashboards/projector/rows", rowTexts],
      ["POST api/dashboards/whatif/rows", exampleRows],
      ["GET api/dashboards/profile/window", traceWindow],
      ["GET api/dashboards/profile/names", traceNames],
      ["GET api/dashboards/profile/counter", counter],
    ]);
  }

  get title(): string {
    return this.files.title;
  }

  /** Reads the index. An encrypted site needs the passphrase, and throws WrongPassphraseError for another one. */
  unlock(passphrase?: string): Promise<void> {
    return this.files.unlock(passphrase);
  }

  async answer({ method, path, query, body }: SiteQuestion): Promise<Response> {
    const parameters = new URLSearchParams(query);
    const handler = this.#handlers.get(`${method} ${path}`);
    if (handler) return handler({ files: this.files, method, path, parameters, body });
    const stored = await this.files.read(method === "GET" ? getKey(path, parameters) : postKey(path, body));
    return stored ? storedResponse(stored) : needsServer();
  }
}

/** All is read; the page says when it was published in place of how old its data are. */
async function progress({ files, path }: SiteRequest): Promise<Response> {
  return jsonResponse({ ...(await files.json<object>(getKey(path))), published: files.published });
}

/** The contract of a dashboard, requests to the server, and text for people. */

export * from "./plugin";
export { asError, messageOf } from "../base/errors";
export { counted, formatBytes, formatCount, formatSeconds, formatValue } from "../base/format";
export { whenIdle } from "../base/idle";
export { saveBlob } from "../base/save";
export { parseJson } from "../base/json";
export { WorkerPool } from "../base/worker_pool";
export { compilePattern, parseFilter } from "../base/patterns.svelte";
export { cssColour } from "../base/colours";
export { byName, groupByPrefix, splitTag, type TagGroup } from "../base/tags";
export { atOrBefore, nearest, unionOf } from "../base/steps";
export { fetchExport, type SeriesBlock } from "../data/api";
export { request, requestBlock, requestBytes, RequestError, requestJson } from "../data/request";
export { captionTag, fetchCaptions, hasCaptions, withoutCaptions } from "../data/captions";
export { patchState, loadState } from "../data/saved_state";
export { SectionOrder } from "../data/section_order.svelte";
export { LatestOnly } from "../data/latest_only";
export { Resource } from "../data/resource.svelte";
export { payloadAddress, payloadQuery, type PayloadList } from "../data/payloads";

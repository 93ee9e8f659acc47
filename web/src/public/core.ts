/** The contract of a dashboard, requests to the server, and text for people. */

export * from "./plugin";
/** What was thrown, as an Error or as a sentence. */
export { asError, messageOf } from "../base/errors";
export { counted, formatBytes, formatCount, formatSeconds, formatValue } from "../base/format";
export { whenIdle } from "../base/idle";
/** Downloads a Blob as a file. */
export { saveBlob } from "../base/save";
export { parseJson } from "../base/json";
export { WorkerPool } from "../base/worker_pool";
export { compilePattern, parseFilter } from "../base/patterns.svelte";
/** A design token or a colour as CSS takes it. */
export { cssColour } from "../base/colours";
/** Tags: compared by name, grouped by what is before the slash, and split there. */
export { byName, groupByPrefix, splitTag, type TagGroup } from "../base/tags";
/** Finds a step in a sorted list, and joins lists of steps. */
export { atOrBefore, nearest, unionOf } from "../base/steps";
export { fetchExport, type SeriesBlock } from "../data/api";
export { request, requestBlock, requestBytes, RequestError, requestJson } from "../data/request";
export { captionTag, fetchCaptions, hasCaptions, withoutCaptions } from "../data/captions";
export { patchState, loadState } from "../data/saved_state";
export { SectionOrder } from "../data/section_order.svelte";
export { LatestOnly } from "../data/latest_only";
export { Resource } from "../data/resource.svelte";
export { payloadAddress, payloadQuery, type PayloadList } from "../data/payloads";
export { saveArchive, saveImage, type PickedImage } from "../data/image_archive";
export { imageNote, ImageSeriesCache, isVideo, type ImageSample, type ImageSeries } from "../data/image_series.svelte";

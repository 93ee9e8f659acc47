/** The contract of a dashboard, requests to the server, and text for people. */

export * from "./plugin";
/** What was thrown, as a sentence. */
export { messageOf } from "../base/errors";
/** Numbers for people. */
export { counted, formatBytes, formatCount, formatSeconds, formatValue } from "../base/format";
/** The keys of views, each with one meaning on all tabs. */
export { KEYS } from "../base/keys";
/** Downloads a Blob as a file. */
export { saveBlob } from "../base/save";
/** Parses JSON from the address, which may be anything. */
export { parseJson } from "../base/json";
/** Runs typed jobs in workers, with cancellation. */
export { WorkerPool } from "../base/worker_pool";
/** A design token or a colour as CSS takes it. */
export { cssColour } from "../base/colours";
/** Tags: compared by name, and grouped by what is before the slash. */
export { byName, groupByPrefix, type TagGroup } from "../base/tags";
/** Finds a step in a sorted list, and joins lists of steps. */
export { atOrBefore, nearest, unionOf } from "../base/steps";
/** One tag of many runs, as columns. */
export type { SeriesBlock } from "../data/api";
/** Requests: the response, its JSON or its bytes; a `body` is sent as JSON, and errors have the server's sentence. */
export { request, requestBytes, requestJson } from "../data/request";
/** Tags without the captions of images, which are logged as texts. */
export { withoutCaptions } from "../data/captions";
/** The order of sections: by what they hold, or as a person moved them; saved on the server. */
export { SectionOrder } from "../data/section_order.svelte";
/** A value that is requested: the latest only, with its error; the old value stays until the new one arrives. */
export { Resource } from "../data/resource.svelte";
/** Images, texts and other payloads of a series: the list of them, and the address of one. */
export { payloadAddress, type PayloadList } from "../data/payloads";
/** Downloads images, one or many as a ZIP. */
export { saveArchive, saveImage, type PickedImage } from "../data/image_archive";
/** The images of a run and tag by step, cached. */
export { imageNote, ImageSeriesCache, isVideo, type ImageSample, type ImageSeries } from "../data/image_series.svelte";

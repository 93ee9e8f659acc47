/** The contract of a dashboard, requests to the server, and text for people. */

export * from "./plugin";
export * from "./groups/format";
export * from "./groups/tag_names";
export * from "./groups/sorted_lists";
export * from "./groups/downloads";
export * from "./groups/browser_storage";
export * from "./groups/payloads";
export * from "./groups/image_files";
export * from "./groups/media_files";
/** What was thrown, as a sentence. */
export { messageOf } from "../base/errors";
/** The keys of views, each with one meaning on all tabs. */
export { KEYS } from "../base/keys";
/** Parses JSON from the address, which may be anything. */
export { parseJson } from "../base/json";
/** Runs typed jobs in workers, with cancellation. */
export { WorkerPool } from "../base/worker_pool";
/** Tags with the same part before the slash. */
export type { TagGroup } from "../base/tags";
/** One tag of many runs, as columns. */
export type { SeriesBlock } from "../data/api";
/** Requests JSON, bytes or columns; a `body` is sent as JSON, and errors have the server's sentence. */
export { requestBlock, requestBytes, requestJson } from "../data/request";
/** A value that is requested: the latest only, with its error; the old value stays until the new one arrives. */
export { Resource } from "../data/resource.svelte";
/** The payloads of a series, such as its images, by step. */
export type { PayloadList } from "../data/payloads";
/** An image to download. */
export type { PickedImage } from "../data/image_archive";
/** The images of a run and tag by step, cached. */
export { ImageSeriesCache, type ImageSample, type ImageSeries } from "../data/image_series.svelte";

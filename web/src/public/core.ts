/** The contract of a dashboard, requests to the server, and text for people. */

export * from "./plugin";
/** What was thrown, as an Error or as a sentence. */
export { asError, messageOf } from "../base/errors";
/** Numbers for people. */
export { formatBytes, formatCount, formatSeconds, formatValue } from "../base/format";
/** Calls a function when the browser has nothing else to do. */
export { whenIdle } from "../base/idle";
/** Downloads a Blob as a file. */
export { saveBlob } from "../base/save";
/** A filter as a person types it: parts of a name, or a regular expression that cannot freeze the page. */
export { compilePattern, parseFilter } from "../base/patterns.svelte";
/** A design token or a colour as CSS takes it. */
export { cssColour } from "../base/colours";
/** Tags: compared by name, grouped by what is before the slash, and split there. */
export { byName, groupByPrefix, splitTag, type TagGroup } from "../base/tags";
/** Finds a step in a sorted list, and joins lists of steps. */
export { atOrBefore, nearest, unionOf } from "../base/steps";
/** Every point of many series as one file. */
export { fetchExport } from "../data/api";
/** One tag of many runs, as columns. */
export type { SeriesBlock } from "../data/api";
/** Requests: the response, its JSON or its bytes; a `body` is sent as JSON, and errors have the server's sentence. */
export { request, requestBytes, requestJson } from "../data/request";
/** Captions of images, which are logged as texts. */
export { captionTag, fetchCaptions, hasCaptions, withoutCaptions } from "../data/captions";
/** Runs one action at a time; while one runs, only the newest request waits. */
export { LatestOnly } from "../data/latest_only";
/** A value that is requested: the latest only, with its error; the old value stays until the new one arrives. */
export { Resource } from "../data/resource.svelte";
/** Images, texts and other payloads of a series: the list of them, and the address of one. */
export { payloadAddress, payloadQuery, type PayloadList } from "../data/payloads";

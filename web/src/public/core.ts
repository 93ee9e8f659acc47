/** The contract of a dashboard, requests to the server, and text for people. */

export * from "./plugin";
export { asError, messageOf } from "../base/errors";
export { formatBytes, formatCount, formatSeconds, formatValue } from "../base/format";
export { whenIdle } from "../base/idle";
export { saveBlob } from "../base/save";
export { parseJson } from "../base/json";
export { compilePattern, parseFilter } from "../base/patterns.svelte";
export { cssColour } from "../base/colours";
export { byName, groupByPrefix, splitTag, type TagGroup } from "../base/tags";
export { atOrBefore, nearest, unionOf } from "../base/steps";
export { fetchExport, fetchJson, type SeriesBlock } from "../data/api";
export { withoutCaptions } from "../data/captions";
export { patchState, loadState } from "../data/saved_state";
export { LatestOnly } from "../data/latest_only";
export { payloadAddress, type PayloadList } from "../data/payloads";
export { saveArchive, saveImage, type PickedImage } from "../data/image_archive";
export { imageNote, ImageSeriesCache, isVideo, type ImageSample, type ImageSeries } from "../data/image_series.svelte";

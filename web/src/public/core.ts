/** The contract of a dashboard, requests to the server, and text for people. */

export * from "./plugin";
export { asError, messageOf } from "../base/errors";
export { formatBytes, formatCount, formatSeconds, formatValue } from "../base/format";
export { KEYS } from "../base/keys";
export { whenIdle } from "../base/idle";
export { saveBlob } from "../base/save";
export { compilePattern, parseFilter } from "../base/patterns.svelte";
export { cssColour } from "../base/colours";
export { byName, groupByPrefix, splitTag, type TagGroup } from "../base/tags";
export { atOrBefore, nearest, unionOf } from "../base/steps";
export { fetchExport, fetchJson, type SeriesBlock } from "../data/api";
export { captionTag, fetchCaptions, hasCaptions, withoutCaptions } from "../data/captions";
export { patchState, loadState } from "../data/saved_state";
export { LatestOnly } from "../data/latest_only";
export { payloadAddress, payloadQuery, type PayloadList } from "../data/payloads";

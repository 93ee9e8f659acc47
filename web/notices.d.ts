import type { Plugin } from "vite";

/** For the page's bundle, which gets the file, and for those of its workers. */
export function thirdPartyNotices(): { readonly page: Plugin; readonly worker: Plugin };

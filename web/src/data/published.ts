/** A published site: the page of `seamark publish`, whose data are in files. Nothing on its host runs, so nothing can change. */

// Workers and tests have no document, or a part of one.
const { document } = globalThis as { document?: Partial<Document> };
const meta = document?.querySelector?.<HTMLMetaElement>('meta[name="site-manifest"]') ?? null;

export const isPublished = meta !== null;
/** The address of the manifest; empty on the page of a server. */
export const manifestAddress = meta?.content ?? "";

/** Why a visitor of a site changes nothing. */
export const READ_ONLY = "This is a published site: its runs can be looked at, not changed.";

/** What a site says in place of what only a server can do. */
export const NEEDS_SERVER = "This needs a running server: seamark --logdir …";

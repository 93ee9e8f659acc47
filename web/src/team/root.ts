/** Where the team server is, as the page was told by the server: <meta name="seamark-team" content="/">. */

const META = 'meta[name="seamark-team"]';

/** Ends with a slash. */
export const TEAM_ROOT: string = globalThis.document?.querySelector<HTMLMetaElement>(META)?.content ?? "/";

/** The address of a page of the team: `teamAddress("settings")`. */
export const teamAddress = (path: string): string => TEAM_ROOT + path;

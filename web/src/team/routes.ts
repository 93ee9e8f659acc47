/** Which page of the team an address is of. Addresses are below the team's root. */

export type ProjectTab =
  "members" | "tokens" | "shares" | "storage" | "retention" | "notifications" | "audit" | "general";
export type ServerTab = "users" | "oidc" | "mail" | "audit";
export type OwnTab = "profile" | "sessions" | "tokens";

export interface ProjectPath {
  readonly organisation: string;
  readonly project: string;
}

export type TeamRoute =
  | { readonly page: "projects" }
  | { readonly page: "sign-in"; readonly next: string }
  | { readonly page: "setup" }
  | { readonly page: "invite"; readonly code: string }
  | { readonly page: "settings"; readonly tab: OwnTab }
  | { readonly page: "server"; readonly tab: ServerTab }
  | ({ readonly page: "project"; readonly tab: ProjectTab } & ProjectPath)
  | { readonly page: "missing" };

export const PROJECT_TABS: readonly ProjectTab[] = [
  "members",
  "tokens",
  "shares",
  "storage",
  "retention",
  "notifications",
  "audit",
  "general",
];
export const SERVER_TABS: readonly ServerTab[] = ["users", "oidc", "mail", "audit"];
export const OWN_TABS: readonly OwnTab[] = ["profile", "sessions", "tokens"];

/** `path` is below the root and without a slash in front; `search` begins with "?" or is empty. */
export function parseTeamRoute(path: string, search: string): TeamRoute {
  const [page = "", ...rest] = path.replace(/\/+$/, "").split("/").map(decode);
  if (page === "") return { page: "projects" };
  if (page === "sign-in") return { page, next: safeNext(new URLSearchParams(search).get("next")) };
  if (page === "setup") return { page };
  if (page === "invite" && rest.length === 1) return { page, code: rest[0]! };
  if (page === "settings" && rest[0] === "server") return { page: "server", tab: oneOf(SERVER_TABS, rest[1]) };
  if (page === "settings") return { page, tab: oneOf(OWN_TABS, rest[0]) };
  if (page === "projects" && rest.length >= 2)
    return { page: "project", organisation: rest[0]!, project: rest[1]!, tab: oneOf(PROJECT_TABS, rest[2]) };
  return { page: "missing" };
}

/** Where a link after signing in may lead: a path of this server, never another site. */
export function safeNext(next: string | null): string {
  // A browser reads "//host", and "/\host" too, as another host.
  return next !== null && /^\/(?![/\\])/.test(next) && !/[\t\n\r]/.test(next) ? next : "/";
}

const oneOf = <Name extends string>(names: readonly Name[], name: string | undefined): Name =>
  names.find((each) => each === name) ?? names[0]!;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % that somebody typed
  }
}

/** "p/<organisation>/<project>" or "s/<secret>": the page of a project, where the shell runs. */
export const isShellPath = (path: string): boolean => /^(?:p\/[^/]+\/[^/]+|s\/[^/]+)(?:\/|$)/.test(path);

export function projectOfPath(path: string): ProjectPath | null {
  const [first, organisation, project] = path.split("/").map(decode);
  return first === "p" && organisation && project ? { organisation, project } : null;
}

export const pathOf = ({ organisation, project }: ProjectPath): string =>
  `${encodeURIComponent(organisation)}/${encodeURIComponent(project)}`;

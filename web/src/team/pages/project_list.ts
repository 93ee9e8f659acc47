/** The list of projects: which match a search, in which order. */

import type { ProjectItem } from "../api";

/** All words must be in the name; the last used come first. */
export function searchProjects(projects: readonly ProjectItem[], search: string): readonly ProjectItem[] {
  const words = search.toLowerCase().split(/\s+/);
  return projects
    .filter(({ organisation, name }) => words.every((word) => `${organisation}/${name}`.includes(word)))
    .toSorted((a, b) => lastUse(b) - lastUse(a));
}

const lastUse = ({ uploaded_at, created_at }: ProjectItem): number => uploaded_at ?? created_at;

const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;

/** What is wrong with a name, as the server sees it; "" if nothing is. */
export function nameProblem(name: string): string {
  if (name === "" || NAME.test(name)) return "";
  return "1 to 64 characters out of a-z, 0-9, - and _; begins and ends with a letter or digit.";
}

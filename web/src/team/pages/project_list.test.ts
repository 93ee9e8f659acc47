import { expect, test } from "vitest";
import type { ProjectItem } from "../api";
import { nameProblem, searchProjects } from "./project_list";

const made = (organisation: string, name: string, uploaded_at: number | null = null): ProjectItem => ({
  organisation,
  name,
  role: "viewer",
  is_public: false,
  created_at: 10,
  runs: 0,
  uploaded_at,
});
const PROJECTS = [made("lab", "vision"), made("lab", "speech", 30), made("home", "vision", 20)];
const found = (search: string): string[] =>
  searchProjects(PROJECTS, search).map(({ organisation, name }) => `${organisation}/${name}`);

test("the last used come first", () => expect(found("")).toEqual(["lab/speech", "home/vision", "lab/vision"]));
test("all words must be there, in any case", () => expect(found("VIS lab")).toEqual(["lab/vision"]));

test.each(["", "a", "image-net_2"])("%j is a name", (name) => expect(nameProblem(name)).toBe(""));
test.each(["Image", "-a", "a b", "a".repeat(65)])("%j is none", (name) => expect(nameProblem(name)).toContain("a-z"));

import { describe, expect, test } from "vitest";
import { isShellPath, parseTeamRoute, projectOfPath, safeNext } from "./routes";

describe("the page of an address", () => {
  test.each([
    ["", { page: "projects" }],
    ["setup", { page: "setup" }],
    ["invite/abc", { page: "invite", code: "abc" }],
    ["settings", { page: "settings", tab: "profile" }],
    ["settings/tokens", { page: "settings", tab: "tokens" }],
    ["settings/server/audit", { page: "server", tab: "audit" }],
    ["projects/lab/vision", { page: "project", organisation: "lab", project: "vision", tab: "members" }],
    ["projects/lab/vision/storage/", { page: "project", organisation: "lab", project: "vision", tab: "storage" }],
    ["projects/lab", { page: "missing" }],
    ["%zz", { page: "missing" }],
  ])("%j", (path, route) => expect(parseTeamRoute(path, "")).toEqual(route));

  test("an unknown tab opens the first", () =>
    expect(parseTeamRoute("settings/nothing", "")).toEqual({ page: "settings", tab: "profile" }));
});

describe("where signing in leads", () => {
  test.each(["/p/lab/vision/?x=1#scalars", "/"])("%j is kept", (next) => expect(safeNext(next)).toBe(next));
  test.each([null, "", "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/\t/evil"])(
    "%j leads to the projects",
    (next) => expect(safeNext(next)).toBe("/"),
  );
});

test("the page of a project and an opened link have the shell", () => {
  expect(["p/lab/vision/", "p/lab/vision/run/a", "s/secret/"].map(isShellPath)).toEqual([true, true, true]);
  expect(["", "projects/lab/vision", "p/lab", "settings"].map(isShellPath)).toEqual([false, false, false, false]);
  expect(projectOfPath("p/lab/vision/run/a")).toEqual({ organisation: "lab", project: "vision" });
  expect(projectOfPath("s/secret/")).toBeNull();
});

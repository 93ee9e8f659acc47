import { expect, test } from "vitest";
import { auditExport, auditPath, detailsInWords } from "./audit";

const PROJECT = { organisation: "lab", project: "vision" };

test("filters are in the address, and empty ones are not", () => {
  expect(auditPath(null, { action: "", user: "" })).toBe("audit");
  expect(auditPath(PROJECT, { action: "run.delete", user: "a@b.c" }, { before: "x" })).toBe(
    "projects/lab/vision/audit?action=run.delete&user=a%40b.c&before=x",
  );
  expect(auditExport(null, { action: "", user: "" }, "csv")).toBe("/team/api/audit?format=csv");
});

test("details are words", () => {
  expect(detailsInWords({ runs: ["a", "b"], is_public: false, note: null, role: "writer" })).toBe(
    "runs: a, b; is public: no; role: writer",
  );
  expect(detailsInWords({ expires_at: 1795730226.677623 })).toMatch(/^expires at: 2026-/);
});

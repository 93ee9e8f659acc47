import { expect, test } from "vitest";
import { plainText, sectionsOf, titlesOf } from "./model";

test("torch's suffix is left out of titles, unless that makes two tags one", () => {
  const titles = titlesOf(["notes/text_summary", "plain", "both", "both/text_summary", "/text_summary"]);
  expect([...titles.values()]).toEqual(["notes", "plain", "both", "both/text_summary", "/text_summary"]);
});

test("cards are grouped by the title's folder, one for every shown run that has the tag", () => {
  const entries = [
    { tag: "eval/sample/text_summary", runs: ["a", "b"] },
    { tag: "notes/text_summary", runs: ["b", "c"] },
  ];
  const sections = sectionsOf(entries, titlesOf(entries.map(({ tag }) => tag)), ["b", "a"]);
  expect(sections.map(({ title, cells }) => [title, cells.map(({ title: tag, run }) => [tag, run])])).toEqual([
    [
      "eval/",
      [
        ["eval/sample", "b"],
        ["eval/sample", "a"],
      ],
    ],
    ["No prefix", [["notes", "b"]]],
  ]);
});

test("a table as text has a line for every row", () => {
  const entry = { html: "", size: 1, is_cut: false, note: "" };
  expect(
    plainText({
      ...entry,
      is_table: true,
      rows: [
        ["a", "b"],
        ["c", "d"],
      ],
    }),
  ).toBe("a\tb\nc\td");
  expect(plainText({ ...entry, is_table: false, rows: [["x\ny"]] })).toBe("x\ny");
});

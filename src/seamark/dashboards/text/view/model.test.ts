import { expect, test } from "vitest";
import { cardsOf, plainText, titled, titlesOf } from "./model";

test("torch's suffix is left out of titles, unless that makes two tags one", () => {
  const titles = titlesOf(["notes/text_summary", "plain", "both", "both/text_summary", "/text_summary"]);
  expect([...titles.values()]).toEqual(["notes", "plain", "both", "both/text_summary", "/text_summary"]);
});

test("a card has the title of its tag, and a key made from the tag as logged", () => {
  const entries = [{ tag: "eval/sample/text_summary", runs: ["a", "b"] }];
  const [tag] = titled(entries, titlesOf(entries.map((entry) => entry.tag)));
  expect(cardsOf(tag!, ["b", "c"])).toEqual([
    { key: "eval/sample/text_summary\nb", tag: "eval/sample", logged: "eval/sample/text_summary", run: "b" },
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

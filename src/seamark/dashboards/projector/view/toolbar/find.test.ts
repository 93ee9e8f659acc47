import { describe, expect, it } from "vitest";
import { parseFind, regexError } from "./find";

const COLUMNS = ["class", "class:fine", "Split"];

describe("what a person types to find points", () => {
  it("is a text in any column", () => {
    expect(parseFind("  maple ", COLUMNS)).toEqual({ text: "maple", column: "", is_regex: false });
  });

  it("is nothing until there is something to search for", () => {
    expect([parseFind("", COLUMNS), parseFind("  ", COLUMNS), parseFind("class: ", COLUMNS)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("is a regular expression between slashes", () => {
    expect(parseFind("/^map.e$/", COLUMNS)).toEqual({ text: "^map.e$", column: "", is_regex: true });
    expect(parseFind("/home", COLUMNS)).toEqual({ text: "/home", column: "", is_regex: false });
    expect(parseFind("//", COLUMNS)).toEqual({ text: "//", column: "", is_regex: false });
  });

  it("names a column of the metadata, and nothing else before a colon is one", () => {
    expect(parseFind("class:oak", COLUMNS)).toEqual({ text: "oak", column: "class", is_regex: false });
    expect(parseFind("split: /te.t/", COLUMNS)).toEqual({ text: "te.t", column: "Split", is_regex: true });
    expect(parseFind("class:fine:oak", COLUMNS)).toEqual({ text: "oak", column: "class:fine", is_regex: false });
    expect(parseFind("http://a", COLUMNS)).toEqual({ text: "http://a", column: "", is_regex: false });
  });

  it("is rejected here if it is no regular expression", () => {
    const errorOf = (typed: string): string => regexError(parseFind(typed, COLUMNS)!);
    expect(errorOf("/(/")).toContain("Unterminated group");
    expect([errorOf("("), errorOf("/(?i)oak|(?P<n>ash)/")]).toEqual(["", ""]);
  });
});

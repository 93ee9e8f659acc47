import { expect, test } from "vitest";
import { insertMention, matchMembers, mentionAt } from "./mentions";

const member = (name: string, email: string) => ({ user_id: email, name, email, role: "viewer" as const });
const MEMBERS = [member("Ada Lovelace", "ada@lab.example"), member("Grace Hopper", "grace@navy.example")];

test.each([
  ["hello @", { start: 6, query: "" }],
  ["hello @ad", { start: 6, query: "ad" }],
  ["@ada@lab", { start: 0, query: "ada@lab" }],
  ["(@gr", { start: 1, query: "gr" }],
])("%j is a mention", (text, found) => expect(mentionAt(text, text.length)).toEqual(found));

test.each(["hello", "mail a@b", "@ada ", ""])("%j is none", (text) => expect(mentionAt(text, text.length)).toBeNull());

test("members are found by first name, last name and e-mail", () => {
  const found = (query: string): string[] => matchMembers(MEMBERS, query).map(({ name }) => name);
  expect(found("lov")).toEqual(["Ada Lovelace"]);
  expect(found("GRACE@n")).toEqual(["Grace Hopper"]);
  expect(found("")).toHaveLength(2);
  expect(found("zz")).toEqual([]);
});

test("the chosen one replaces what was typed", () => {
  const text = "see @gr and more";
  const caret = "see @gr".length;
  expect(insertMention(text, caret, mentionAt(text, caret)!, MEMBERS[1]!)).toEqual({
    text: "see @Grace Hopper and more",
    caret: "see @Grace Hopper ".length,
  });
});

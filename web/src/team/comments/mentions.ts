/** @mentions in a text: where one is being typed, who matches, and the text with the chosen one. */

import { shownName, type Member } from "../people/people";

export interface MentionQuery {
  /** Of the "@". */
  readonly start: number;
  readonly query: string;
}

/** What is typed behind the last "@" before the caret; null where no mention is being typed. */
export function mentionAt(text: string, caret: number): MentionQuery | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}._+@-]*)$/u.exec(text.slice(0, caret));
  return found ? { start: caret - found[1]!.length - 1, query: found[1]! } : null;
}

const MAX_MATCHES = 6;

export function matchMembers(members: readonly Member[], query: string): readonly Member[] {
  const wanted = query.toLowerCase();
  return members
    .filter(({ name, email }) =>
      `${name} ${email}`
        .toLowerCase()
        .split(/\s+/)
        .some((word) => word.startsWith(wanted)),
    )
    .slice(0, MAX_MATCHES);
}

export function insertMention(
  text: string,
  caret: number,
  { start }: MentionQuery,
  member: Pick<Member, "name" | "email">,
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, start)}@${shownName(member)} `;
  return { text: before + text.slice(caret).trimStart(), caret: before.length };
}

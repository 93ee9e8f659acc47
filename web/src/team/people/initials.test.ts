import { expect, test } from "vitest";
import { initialsOf } from "./initials";

test.each([
  ["Ada Lovelace", "AL"],
  ["grace@navy.example", "G"],
  ["  Jean Baptiste Joseph Fourier ", "JF"],
  ["😀 Smile", "😀S"],
  ["", "?"],
])("%j", (name, initials) => expect(initialsOf(name)).toBe(initials));

import { expect, test } from "vitest";
import { decryptionOf, WrongPassphraseError } from "./cipher";
import fixture from "./cipher.fixture.json";

/** src/seamark/publish/test_seal.py checks that Python makes this fixture. */
const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

test("what Python sealed is opened, at its own place only", async () => {
  const decrypt = await decryptionOf(fixture.encryption, fixture.passphrase);
  const { file, offset, stored, content } = fixture;
  expect(new TextDecoder().decode(await decrypt(bytes(stored), file, offset))).toBe(content);
  await expect(decrypt(bytes(stored), file, offset + 1)).rejects.toThrow("damaged or exchanged");
  await expect(decrypt(bytes(stored), "other", offset)).rejects.toThrow("data/other.bin");
});

test("a wrong passphrase is told apart from a damaged file", async () => {
  await expect(decryptionOf(fixture.encryption, "wrong")).rejects.toThrow(WrongPassphraseError);
});

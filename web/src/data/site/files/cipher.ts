/** Decryption of a site: the key comes from a passphrase, and every blob is bound to its file and its offset there. */

import type { Encryption } from "./manifest";

const NONCE_BYTES = 12;
const CHECK_POSITION = "check";
const PURPOSE = "seamark site data";

export class WrongPassphraseError extends Error {
  override readonly name = "WrongPassphraseError";
}

export type Decrypt = (
  stored: Uint8Array<ArrayBuffer>,
  file: string,
  offset: number,
) => Promise<Uint8Array<ArrayBuffer>>;

/** Throws WrongPassphraseError, and an Error with a sentence where the browser has no cryptography. */
export async function decryptionOf(encryption: Encryption, passphrase: string): Promise<Decrypt> {
  // Types claim that it is always there; pages of plain http have none.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!subtle) throw new Error("A browser decrypts only pages that were loaded by https: open this site by https.");
  const key = await deriveKey(subtle, encryption, passphrase);
  const open = (stored: Uint8Array<ArrayBuffer>, position: string): Promise<ArrayBuffer> =>
    subtle.decrypt(
      { name: "AES-GCM", iv: stored.subarray(0, NONCE_BYTES), additionalData: new TextEncoder().encode(position) },
      key,
      stored.subarray(NONCE_BYTES),
    );
  try {
    await open(fromBase64(encryption.check), CHECK_POSITION);
  } catch {
    throw new WrongPassphraseError("The passphrase is wrong.");
  }
  return async (stored, file, offset) => {
    try {
      return new Uint8Array(await open(stored, `${file}:${offset}`));
    } catch {
      throw new Error(`a file of this site was damaged or exchanged: data/${file}.bin`);
    }
  };
}

async function deriveKey(subtle: SubtleCrypto, encryption: Encryption, passphrase: string): Promise<CryptoKey> {
  const words = await subtle.importKey("raw", new TextEncoder().encode(passphrase), "PBKDF2", false, ["deriveBits"]);
  const { iterations, salt } = encryption;
  const master = await subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", iterations, salt: fromBase64(salt) },
    words,
    256,
  );
  const base = await subtle.importKey("raw", master, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode(PURPOSE);
  return subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info },
    base,
    { name: "AES-GCM", length: 256 },
    false,
    ["decrypt"],
  );
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

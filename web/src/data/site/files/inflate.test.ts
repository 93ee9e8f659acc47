import { inflateSync } from "fflate";
import { expect, test, vi } from "vitest";
import { inflate, inflateJoined } from "./inflate";

vi.mock("fflate", async (load) => {
  const fflate = await load<typeof import("fflate")>();
  return { ...fflate, inflateSync: vi.fn(fflate.inflateSync) };
});

const text = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => ((at * at * 31) % 251) ^ (at >> 5));

/** As format/site_files.py deflates: "abc" a thousand times, and a million zeros. */
const ABC = "7MJBEQAADAKgrGr/DquxBxzpoqqq/n4AAAD//w==";
const ZEROS =
  "7MEBAQAAAIIg/69uSEABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACvBgAA//8=";
const MAX_BLOCK = 65_535;
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** A stream that can go on, of blocks that are not compressed. */
function packed(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < content.byteLength; at += MAX_BLOCK) {
    const block = content.subarray(at, at + MAX_BLOCK);
    const length = [block.byteLength & 255, block.byteLength >> 8];
    blocks.push(Uint8Array.of(0, ...length, ...length.map((byte) => byte ^ 255)), block);
  }
  return joined(blocks);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}

/** Not by toEqual, which takes seconds for a megabyte. */
const isEqual = (found: Uint8Array, wanted: Uint8Array): boolean =>
  found.byteLength === wanted.byteLength && found.every((byte, at) => byte === wanted[at]);

test.each([0, 1, 1_000, 200_000, 524_287, 524_288, 524_289, 1_100_000])(
  "%i bytes come back as they were",
  async (length) => {
    const found = await inflate(packed(text(length)));
    expect(found.byteLength).toBe(length);
    expect(found.byteOffset).toBe(0);
    expect(isEqual(found, text(length))).toBe(true);
  },
);

test("compressed content comes back, also if it is much longer than the shared buffer", async () => {
  expect(new TextDecoder().decode(await inflate(fromBase64(ABC)))).toBe("abc".repeat(1000));
  expect(isEqual(await inflate(fromBase64(ZEROS)), new Uint8Array(1_000_000))).toBe(true);
  expect((await inflateJoined([fromBase64(ABC), fromBase64(ZEROS), fromBase64(ABC)])).byteLength).toBe(1_006_000);
});

test("many blobs are one stream", async () => {
  const lengths = [10, 0, 3_000, 70_000];
  const found = await inflateJoined(lengths.map((length) => packed(text(length))));
  expect(isEqual(found, joined(lengths.map(text)))).toBe(true);
  await expect(inflateJoined([packed(text(9)), new Uint8Array([255])])).rejects.toThrow("publish it again");
});

test("an answer is not changed by the next one", async () => {
  const first = await inflate(packed(text(100)));
  await inflate(packed(new Uint8Array(100)));
  expect(first).toEqual(text(100));
});

test("a thousand short blobs share one buffer", async () => {
  vi.mocked(inflateSync).mockClear();
  for (let at = 0; at < 3; at += 1) await inflate(packed(text(2_000 + at)));
  const outs = new Set(vi.mocked(inflateSync).mock.calls.map(([, options]) => options?.out));
  expect([...outs]).toEqual([expect.any(Uint8Array)]);
});

test("what is damaged is a sentence", async () => {
  await expect(inflate(new Uint8Array([255, 255, 255, 255]))).rejects.toThrow("damaged: copy or publish it again");
});

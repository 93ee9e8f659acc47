import { describe, expect, test, vi } from "vitest";
import { PackReader } from "./pack_reader";

const CONTENT = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251);

/** A host with ranges, or one that ignores them; `requests` are the ranges that it was asked for. */
function host({ hasRanges = true, content = CONTENT } = {}): { requests: string[]; reader: PackReader } {
  const requests: string[] = [];
  const fetch = vi.fn((address: string, init: RequestInit = {}) => {
    const range = (init.headers as Record<string, string> | undefined)?.range ?? "";
    requests.push(`${address} ${range}`.trim());
    const found = /bytes=(\d+)-(\d+)/.exec(range);
    return Promise.resolve(
      hasRanges && found
        ? new Response(content.slice(Number(found[1]), Number(found[2]) + 1), { status: 206 })
        : new Response(content),
    );
  });
  return { requests, reader: new PackReader("", fetch as unknown as typeof globalThis.fetch) };
}

const expected = (offset: number, length: number): number[] => [...CONTENT.subarray(offset, offset + length)];

describe("a host with ranges", () => {
  test("parts of one moment that lie near each other are one range", async () => {
    const { requests, reader } = host();
    const parts = await Promise.all([reader.read("a", 500, 10), reader.read("a", 0, 10), reader.read("a", 200_000, 5)]);
    expect(parts.map((part) => [...part])).toEqual([expected(500, 10), expected(0, 10), expected(200_000, 5)]);
    expect(requests).toEqual(["data/a.bin bytes=0-509", "data/a.bin bytes=200000-200004"]);
  });

  test("an empty part needs no request", async () => {
    const { requests, reader } = host();
    expect((await reader.read("a", 100, 0)).byteLength).toBe(0);
    expect(requests).toEqual([]);
  });
});

describe("a host without ranges", () => {
  test("sends a whole file, which is read once", async () => {
    const { requests, reader } = host({ hasRanges: false });
    expect([...(await reader.read("a", 500, 10))]).toEqual(expected(500, 10));
    expect([...(await reader.read("a", 7, 3))]).toEqual(expected(7, 3));
    await Promise.all([reader.read("b", 0, 1), reader.read("b", 250_000, 1)]);
    expect(requests).toEqual(["data/a.bin bytes=500-509", "data/b.bin"]);
  });
});

describe("what goes wrong is a sentence", () => {
  test.each([
    [
      "a file that is gone",
      () => Promise.resolve(new Response("", { status: 404 })),
      /is missing: reload.*data\/a.bin/,
    ],
    ["a file that ends before it", () => Promise.resolve(new Response("", { status: 416 })), /cut short.*data\/a.bin/],
    [
      "a file that is cut short",
      () => Promise.resolve(new Response(new Uint8Array(3), { status: 206 })),
      /cut short.*data\/a.bin/,
    ],
    [
      "a host that is gone",
      () => Promise.reject(new TypeError("Failed to fetch")),
      /host of this site does not answer/,
    ],
    ["a host that fails", () => Promise.resolve(new Response("", { status: 503 })), /answered 503/],
  ])("%s", async (_, fetch, sentence) => {
    await expect(new PackReader("", fetch as typeof globalThis.fetch).read("a", 0, 10)).rejects.toThrow(sentence);
  });

  test("and is tried again", async () => {
    let isBroken = true;
    const fetch = (): Promise<Response> =>
      isBroken
        ? Promise.reject(new TypeError("gone"))
        : Promise.resolve(new Response(CONTENT.slice(0, 10), { status: 206 }));
    const reader = new PackReader("", fetch as typeof globalThis.fetch);
    await expect(reader.read("a", 0, 10)).rejects.toThrow();
    isBroken = false;
    expect([...(await reader.read("a", 0, 10))]).toEqual(expected(0, 10));
  });
});

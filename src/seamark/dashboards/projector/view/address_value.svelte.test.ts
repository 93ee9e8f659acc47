import { SvelteMap } from "svelte/reactivity";
import { expect, test, vi } from "vitest";
import { AddressValue } from "./address_value.svelte";
import { rowsOfText, textOfRows } from "./row_text";

const LONG = Uint32Array.from({ length: 2000 }, (_, row) => 3 * row);

/** A page with an address; `texts` are on the server. */
function pageWith(texts: Map<string, string>, address: Record<string, string> = {}) {
  const params = new SvelteMap(Object.entries(address));
  const url = {
    get: (name: string) => params.get(name),
    set: (name: string, value: string | undefined) => void (value === undefined ? params.delete(name) : params.set(name, value)), // prettier-ignore
  };
  const saved = {
    load: () => Promise.resolve(undefined),
    patch: () => Promise.resolve(undefined),
    saveText: (text: string) => {
      if (text.startsWith("1-")) return Promise.reject(new Error("the disk is full"));
      texts.set(`id${texts.size}`, text);
      return Promise.resolve(`id${texts.size - 1}`);
    },
    loadText: (id: string) =>
      texts.has(id) ? Promise.resolve(texts.get(id)!) : Promise.reject(new Error(`no text '${id}'`)),
  };
  let rows!: AddressValue<Uint32Array>;
  const close = $effect.root(() => {
    rows = new AddressValue({ url, saved }, "selected", { encode: textOfRows, decode: rowsOfText });
  });
  return { rows, url, close };
}

test("a short value is in the address", () => {
  const { rows, url, close } = pageWith(new Map());
  rows.set(Uint32Array.of(3, 4, 5));
  expect(url.get("selected")).toBe("3-5");
  rows.set(new Uint32Array());
  expect(url.get("selected")).toBeUndefined();
  close();
});

test("a long value is saved, and a link with its id has it", async () => {
  const texts = new Map<string, string>();
  const { rows, url, close } = pageWith(texts);
  rows.set(LONG);
  expect(rows.value).toBe(LONG);
  await vi.waitFor(() => expect(url.get("selected")).toBe("@id0"));
  expect(rows.value).toBe(LONG);
  const other = pageWith(texts, { selected: "@id0" });
  expect(other.rows.value).toHaveLength(0);
  await vi.waitFor(() => expect(other.rows.value).toEqual(LONG));
  other.url.set("selected", "7");
  expect([...other.rows.value]).toEqual([7]);
  other.close();
  close();
});

test("what was set while a text was saved wins", async () => {
  const texts = new Map<string, string>();
  const { rows, url, close } = pageWith(texts);
  rows.set(LONG);
  rows.set(Uint32Array.of(1));
  await vi.waitFor(() => expect(texts.size).toBe(1));
  await Promise.resolve();
  expect([url.get("selected"), [...rows.value]]).toEqual(["1", [1]]);
  close();
});

test("a failure is said: of saving, and of an id that is gone", async () => {
  const failing = pageWith(new Map());
  failing.rows.set(Uint32Array.from({ length: 3000 }, (_, row) => (row < 2 ? row + 1 : 3 * row)));
  await vi.waitFor(() => expect(failing.rows.problem).toBe("not in the link: the disk is full"));
  expect(failing.rows.value).toHaveLength(3000);
  failing.rows.set(new Uint32Array());
  expect(failing.rows.problem).toBe("");
  failing.close();
  const gone = pageWith(new Map(), { selected: "@lost" });
  await vi.waitFor(() => expect(gone.rows.problem).toBe("no text 'lost'"));
  gone.close();
});

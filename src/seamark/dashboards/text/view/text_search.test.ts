import { expect, test } from "vitest";
import { PAGE, type Found } from "./model";
import { TextSearch } from "./text_search.svelte";

/** A server that finds ten matches in each of its parts. */
function searchOf(parts: number) {
  const requests: string[] = [];
  const search = new TextSearch((words, from) => {
    requests.push(`${words} ${from}`);
    const part = Number(from ?? 0);
    const found = { searched: 100, unread: 1, next: part + 1 < parts ? String(part + 1) : null };
    const matches = Array.from({ length: 10 }, (_, index) => ({ run: words, tag: "t", index: part * 10 + index }));
    return Promise.resolve({ ...found, matches } as unknown as Found);
  });
  return { search, requests };
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a search goes on until a page is full, and further when more is wanted", async () => {
  const { search, requests } = searchOf(7);
  search.start("nan");
  await settle();
  expect([search.found.matches.length, search.found.searched, search.found.unread]).toEqual([PAGE, 500, 5]);
  search.loadMore();
  await settle();
  expect([search.found.matches.length, search.found.next]).toEqual([70, null]);
  expect(requests).toHaveLength(7);
});

test("other words replace what was found", async () => {
  const { search } = searchOf(1);
  search.start("nan");
  search.start("inf");
  await settle();
  expect(search.found.matches.map(({ run }) => run)).toEqual(Array(10).fill("inf"));
});

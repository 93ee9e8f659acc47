import { afterEach, expect, test, vi } from "vitest";
import { beginRequest, request, RequestError, requestJson } from "./request";

afterEach(() => vi.unstubAllGlobals());

function serverThat(respond: (address: string, init: RequestInit) => Promise<Response>) {
  const fetched = vi.fn(respond);
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
const failureOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

test("without a body it is a GET, with one a POST of JSON", async () => {
  const fetched = serverThat(() => Promise.resolve(Response.json({ a: 1 })));
  expect(await requestJson("api/runs")).toEqual({ a: 1 });
  await requestJson("api/diff", { body: { runs: ["a"] } });
  expect(fetched.mock.calls).toEqual([
    ["api/runs", {}],
    ["api/diff", { method: "POST", headers: { "content-type": "application/json" }, body: '{"runs":["a"]}' }],
  ]);
});

test("a request that was begun early is sent once, and used once", async () => {
  const fetched = serverThat(() => Promise.resolve(Response.json({ a: 1 })));
  beginRequest("api/table/columns");
  expect(await requestJson("api/table/columns")).toEqual({ a: 1 });
  expect(fetched).toHaveBeenCalledTimes(1);
  await requestJson("api/table/columns");
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("an early request that fails is an error of the request that uses it", async () => {
  serverThat(() => Promise.reject(new TypeError("no network")));
  beginRequest("api/table/columns");
  expect(await failureOf(request("api/table/columns"))).toMatchObject({ code: "unreachable" });
});

test("an error has the server's sentence, its code and the other fields of the response", async () => {
  serverThat(() =>
    Promise.resolve(Response.json({ error: "there is no run x", code: "not_found", at: 3 }, { status: 404 })),
  );
  const failure = await failureOf(request("api/run?run=x"));
  expect(failure).toBeInstanceOf(RequestError);
  expect(failure).toMatchObject({
    message: "there is no run x",
    status: 404,
    code: "not_found",
    details: { at: 3 },
    isRejected: true,
  });
});

test("an error without JSON, as of a proxy, says the status", async () => {
  serverThat(() => Promise.resolve(new Response("<html>", { status: 502, statusText: "Bad Gateway" })));
  expect(await failureOf(request("api/runs"))).toMatchObject({
    message: "the server answered 502 Bad Gateway",
    isRejected: false,
  });
});

test("a server that cannot be reached is one kind of error, an aborted request another", async () => {
  serverThat((_, { signal }) => Promise.reject(signal?.aborted ? signal.reason : new TypeError("Failed to fetch")));
  expect(await failureOf(request("api/runs"))).toMatchObject({ status: 0, code: "unreachable", isRejected: false });
  const reason = await failureOf(request("api/runs", { signal: AbortSignal.abort() }));
  expect(reason).toMatchObject({ name: "AbortError" });
});

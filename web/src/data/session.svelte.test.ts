import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Change } from "./live";
import { requestJson } from "./request";
import { Session } from "./session.svelte";
import { makeRun } from "./testing";

/** The page's connection for server-sent events. */
class Events extends EventTarget {
  static readonly CLOSED = 2;
  static last: Events;
  readonly readyState = 1;
  onopen = (): void => undefined;
  constructor(readonly address: string) {
    super();
    Events.last = this;
  }
  close(): void {}
  send(event: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(event), { data: JSON.stringify(data), lastEventId: "x-1" }));
  }
}

const run = (name: string, points: number) => makeRun(name, { first_wall: 1, last_wall: 2, points });
const progress = { bytes_done: 1, bytes_total: 1, files_done: 1, files_total: 1, loading: false, roots: [] };
const change = (more: Partial<Change>): Change => ({
  version: 2,
  tags: [],
  resync: false,
  runs_added: [],
  runs_removed: [],
  runs_reset: [],
  payloads: [],
  lists: null,
  ...more,
});
/** The server's lists, which a test may change, and every address that was requested. */
let server: Record<string, unknown>;
let requested: string[];

beforeEach(() => {
  vi.useFakeTimers();
  requested = [];
  server = {
    "api/progress": progress,
    "api/runs": { runs: [run("a", 1)] },
    "api/tags": { runs: ["a"], kinds: { scalars: [{ tag: "loss", runs: [0] }] } },
    "api/problems": { problems: [] },
    "api/dashboards": [{ name: "scalars", title: "Scalars", order: 0, kinds: ["scalars"], module: null }],
    "api/table": {},
    "api/state": { version: 0, runs: {}, pins: [], views: {}, dashboards: {} },
  };
  vi.stubGlobal("EventSource", Events);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal("fetch", (address: string) => {
    requested.push(address);
    return Promise.resolve(Response.json(server[address]));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function startedSession(): Promise<Session> {
  const session = new Session();
  await session.start();
  Events.last.send("hello", {});
  await vi.advanceTimersByTimeAsync(3000);
  requested = [];
  return session;
}

test("a live change patches the lists without a request, and only its series get a new revision", async () => {
  const session = await startedSession();
  const [loss, other] = [session.revisionOf("scalars", "loss"), session.revisionOf("scalars", "other")];
  Events.last.send("change", change({ tags: ["loss"], lists: { runs: [run("a", 5)], tags: {} } }));
  await vi.advanceTimersByTimeAsync(3000);
  expect(requested).toEqual([]);
  expect(session.runs).toEqual([run("a", 5)]);
  expect([session.revisionOf("scalars", "loss"), session.revisionOf("scalars", "other")]).toEqual([loss + 1, other]);
});

test("events continue where the first response was, so that no series is requested twice", async () => {
  server["api/progress"] = { ...progress, cursor: "x-7" };
  const session = new Session();
  await session.start();
  const before = session.revisionOf("scalars", "loss");
  expect(Events.last.address).toBe("api/events?since=x-7");
  Events.last.send("progress", progress);
  await vi.advanceTimersByTimeAsync(3000);
  // They may have been answered before the cursor was.
  expect(requested.filter((address) => address === "api/runs")).toHaveLength(2);
  expect(session.revisionOf("scalars", "loss")).toBe(before);
});

test("a server that could not be reached is noticed when it is there again", async () => {
  const fetchNow = globalThis.fetch;
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));
  const session = new Session();
  await session.start();
  expect([session.error !== "", Events.last.address]).toEqual([true, "api/events"]);
  vi.stubGlobal("fetch", fetchNow);
  Events.last.onopen();
  await vi.advanceTimersByTimeAsync(3000);
  expect([session.error, session.runs.length]).toEqual(["", 1]);
});

test("a run that is added, or removed, renews the series of its tags", async () => {
  const session = await startedSession();
  const before = session.revisionOf("scalars", "loss");
  const lists = { runs: [run("b", 1)], tags: { b: { scalars: ["loss", "lr"] } } };
  Events.last.send("change", change({ runs_added: ["b"], lists }));
  expect(session.tags("scalars")).toEqual([
    { tag: "loss", runs: ["a", "b"] },
    { tag: "lr", runs: ["b"] },
  ]);
  expect(session.revisionOf("scalars", "loss")).toBe(before + 1);
  Events.last.send("change", change({ runs_removed: ["b"], lists: { runs: [], tags: { b: {} } } }));
  expect(session.tags("scalars")).toEqual([{ tag: "loss", runs: ["a"] }]);
  expect(session.runs.map(({ name }) => name)).toEqual(["a"]);
  expect(session.revisionOf("scalars", "loss")).toBe(before + 2);
});

test("files are looked for after the open view has requested its data, and at once where there are no tags", async () => {
  const hasData = "api/dashboards/projector/has_data";
  server["api/dashboards"] = [{ name: "projector", title: "", order: 0, kinds: [], module: null, has_data: hasData }];
  server[hasData] = { has_data: true };
  const fetchNow = globalThis.fetch;
  vi.stubGlobal("fetch", async (address: string) => {
    if (address === "api/table") await new Promise((resolve) => setTimeout(resolve, 1500));
    return fetchNow(address);
  });
  const session = new Session();
  await session.start();
  void requestJson("api/table");
  await vi.advanceTimersByTimeAsync(1400);
  expect(requested).not.toContain(hasData);
  await vi.advanceTimersByTimeAsync(1000);
  expect([...session.filled]).toEqual(["projector"]);
  server["api/tags"] = { runs: [], kinds: {} };
  requested = [];
  await new Session().start();
  expect(requested).toContain(hasData);
});

test("files are looked for again, at intervals that depend on how long a search takes", async () => {
  const hasData = "api/dashboards/projector/has_data";
  server["api/dashboards"] = [{ name: "projector", title: "", order: 0, kinds: [], module: null, has_data: hasData }];
  server[hasData] = { has_data: false };
  server["api/tags"] = { runs: [], kinds: {} };
  const fetchNow = globalThis.fetch;
  vi.stubGlobal("fetch", async (address: string) => {
    if (address === hasData) await new Promise((resolve) => setTimeout(resolve, 2000));
    return fetchNow(address);
  });
  const session = new Session();
  void session.start();
  await vi.advanceTimersByTimeAsync(1900);
  expect([session.dashboards.length, session.areFilesKnown]).toEqual([1, false]);
  await vi.advanceTimersByTimeAsync(200);
  expect([session.areFilesKnown, session.filled.size]).toEqual([true, 0]);
  server[hasData] = { has_data: true };
  requested = [];
  session.lookForFiles();
  await vi.advanceTimersByTimeAsync(9000);
  expect(requested).toEqual([]);
  await vi.advanceTimersByTimeAsync(3000);
  expect([...session.filled]).toEqual(["projector"]);
});

test("after lost changes, and during the first reading, the whole lists are requested once", async () => {
  const session = await startedSession();
  server["api/runs"] = { runs: [run("a", 1), run("b", 2)] };
  const before = session.revisionOf("text", "any");
  Events.last.send("change", change({ resync: true }));
  await vi.advanceTimersByTimeAsync(3000);
  expect(requested.toSorted()).toEqual(["api/problems", "api/progress", "api/runs", "api/tags"]);
  expect(session.runs).toHaveLength(2);
  expect(session.revisionOf("text", "any")).toBe(before + 1);
});

test("a change that arrives while lists are requested is not lost when older lists arrive", async () => {
  const session = await startedSession();
  let respond = (): void => undefined;
  const fetchNow = globalThis.fetch;
  vi.stubGlobal("fetch", async (address: string) => {
    if (address === "api/problems") await new Promise<void>((resolve) => (respond = resolve));
    return fetchNow(address);
  });
  Events.last.send("change", change({ resync: true }));
  await vi.advanceTimersByTimeAsync(0);
  Events.last.send("change", change({ lists: { runs: [run("a", 7)], tags: {} } }));
  respond();
  await vi.advanceTimersByTimeAsync(0);
  expect(session.runs).toEqual([run("a", 7)]);
});

test("an effect follows the revision of its series alone", async () => {
  const session = await startedSession();
  Events.last.send("change", change({ tags: ["loss", "lr"], lists: { runs: [], tags: {} } }));
  const seen: number[] = [];
  const stop = $effect.root(() => {
    $effect(() => void seen.push(session.revisionOf("scalars", "loss")));
  });
  flushSync();
  Events.last.send("change", change({ tags: ["lr"], lists: { runs: [], tags: {} } }));
  flushSync();
  expect(seen).toHaveLength(1);
  Events.last.send("change", change({ tags: ["loss"], lists: { runs: [], tags: {} } }));
  flushSync();
  expect(seen).toHaveLength(2);
  stop();
});

test("what a server of a team announces reaches those who listen, once per message", async () => {
  const session = new Session();
  void session.start();
  await vi.runAllTimersAsync();
  const heard: string[] = [];
  const stop = session.onNotice("comments", (version) => heard.push(version));
  Events.last.send("comments", { version: "1-5" });
  Events.last.send("notifications", { version: "3" });
  stop();
  Events.last.send("comments", { version: "2-6" });
  expect(heard).toEqual(["1-5"]);
});

test("names and notes are requested only in another version", async () => {
  const session = new Session();
  void session.start();
  await vi.runAllTimersAsync();
  const states = (): number => requested.filter((address) => address === "api/state").length;
  const before = states();
  Events.last.send("state", { version: session.notes.document.version });
  await vi.runAllTimersAsync();
  expect(states()).toBe(before);
  Events.last.send("state", { version: session.notes.document.version + 1 });
  await vi.runAllTimersAsync();
  expect(states()).toBe(before + 1);
});

import { expect, test } from "vitest";
import { isLive, statusHint, statusLook } from "./status";

test("only what finished has a tick, and only what goes on a dot", () => {
  const statuses = ["running", "writing", "finished", "crashed", "killed", "lost", "idle", "stopped"];
  const icons = statuses.map((status) => statusLook(status).icon);
  expect(icons).toEqual(["dot", "dot", "check", "x", "x", "help", "pause", "stop"]);
  expect(statuses.filter(isLive)).toEqual(["running", "writing"]);
});

test("a status that nobody knows is said as it is", () => {
  expect(statusLook("paused")).toEqual({ words: "paused", tone: "", icon: null });
  expect([statusHint("constructor"), statusHint("killed")]).toEqual(["constructor", "killed"]);
});

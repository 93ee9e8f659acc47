import { expect, test } from "vitest";
import { commandText, durationText, gpusText, statusLook } from "./facts";

test("a command can be pasted into a shell as it was typed", () => {
  expect(commandText(["python", "train.py", "--lr=1e-3", "--name", "it's <b>", ""])).toBe("python train.py --lr=1e-3 --name 'it'\\''s <b>' ''");
});

test("a run that goes on lasts until now, one that ended until its end", () => {
  expect(durationText({ started: 1000, ended: null, last_wall: 1010, status: "running" }, 1_090_000)).toBe("1 m 30 s");
  expect(durationText({ started: 1000, ended: 1030, last_wall: 1020, status: "killed" }, 9e9)).toBe("30 s");
  expect(durationText({ started: 1000, ended: null, last_wall: 1020, status: "stopped" }, 9e9)).toBe("20 s");
  expect(durationText({ started: null, ended: null, last_wall: null, status: "idle" }, 0)).toBe("");
});

test("equal GPUs are counted", () => {
  const gpu = { name: "A100", memory_bytes: 80e9, driver: "560" };
  expect(gpusText([gpu, gpu, { ...gpu, name: "T4", memory_bytes: 0 }])).toBe("2 × A100, 80.0 GB; T4");
});

test("a status that nobody knows is said as it is", () => {
  expect(statusLook("paused")).toEqual({ words: "paused", tone: "", icon: null });
});

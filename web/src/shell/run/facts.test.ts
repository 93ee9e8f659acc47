import { expect, test } from "vitest";
import {
  commandText,
  durationText,
  fileWord,
  gpusText,
  leftText,
  reportCommand,
  statusNote,
  totalSteps,
} from "./facts";

test("a command can be pasted into a shell as it was typed", () => {
  expect(commandText(["python", "train.py", "--lr=1e-3", "--name", "it's <b>", ""])).toBe(
    "python train.py --lr=1e-3 --name 'it'\\''s <b>' ''",
  );
});

test("a run that goes on lasts until now, one that ended until its end", () => {
  expect(durationText({ started: 1000, duration: 10, status: "running" }, 1_090_000)).toBe("1 m 30 s");
  expect(durationText({ started: 1000, duration: 30, status: "killed" }, 9e9)).toBe("30 s");
  expect(durationText({ started: 1000, duration: 20, status: "stopped" }, 9e9)).toBe("20 s");
  expect(durationText({ started: null, duration: null, status: "idle" }, 0)).toBe("");
});

test("equal GPUs are counted", () => {
  const gpu = { name: "A100", memory_bytes: 80e9, driver: "560" };
  expect(gpusText([gpu, gpu, { ...gpu, name: "T4", memory_bytes: 0 }])).toBe("2 × A100, 80.0 GB; T4");
});

const GOING = {
  status: "running",
  params: { "trainer.max_steps": 100_000 },
  last_step: 75_000,
  last_wall: 4000,
  started: 1000,
  sessions: [],
};

test("what is left is told from the steps that the config names, as fast as until now", () => {
  expect(leftText(GOING, 4_000_000)).toBe("about 16 m 40 s");
  // As time goes on without news, less is left; a run that was resumed counts from there.
  expect(leftText(GOING, 4_100_000)).toBe("about 15 m");
  const session = {
    started_at: 3000,
    from_step: 50_000,
    ended_at: null,
    status: "running",
    host: "",
    pid: 1,
    command: [],
    git_commit: "",
  };
  expect(leftText({ ...GOING, sessions: [session] }, 4_000_000)).toBe("about 16 m 40 s");
  expect(statusNote({ ...GOING, record: null })).toBe("step 75,000 of 100,000");
});

test("nothing is left of what ended, is done, or never said how far it goes", () => {
  for (const change of [
    { status: "finished" },
    { last_step: 100_000 },
    { last_step: null },
    { params: { epochs: 3 } },
    { params: { steps: 10, max_steps: 20 } },
    { params: { max_steps: "many" } },
    { last_wall: null },
  ]) {
    expect(leftText({ ...GOING, ...change }, 4_000_000)).toBe("");
  }
  expect(totalSteps({ "train.max-steps": 5, max_steps: 5 })).toBe(5);
});

test("files and commands are called as the run is", () => {
  expect(fileWord("a/b c<x>")).toBe("a_b_c_x_");
  expect(fileWord(".")).toBe("run");
  expect(reportCommand('it"s', "/runs/x", ["/runs"])).toBe(
    'seamark export html --logdir /runs --query \'name == "it\\"s"\' -o report.html',
  );
  expect(reportCommand("b/x", "/b/x", ["/a", "/b"])).toBe("seamark export html --logdir /b/x -o report.html");
});

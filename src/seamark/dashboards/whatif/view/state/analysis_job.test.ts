import { expect, test, vi } from "vitest";
import type { Progress } from "../wire";
import { AnalysisJob, tracebackOf } from "./analysis_job.svelte";

interface Part {
  readonly progress: Progress;
}

const part = (state: Progress["state"], done: number): Part => ({
  progress: {
    key: "k",
    done,
    total: 3,
    state,
    error: state === "failed" ? "It died" : "",
    traceback: "",
    unit: "rows",
  },
});

function jobWith(...answers: (Part | Error)[]): { job: AnalysisJob<object, Part>; sent: string[] } {
  const sent: string[] = [];
  const send = <Value>(path: string): Promise<Value> => {
    sent.push(path);
    const answer = path === "stop" ? part("running", 0) : (answers.shift() ?? part("done", 3));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as Value);
  };
  return { job: new AnalysisJob<object, Part>("work", send), sent };
}

const ended = (job: AnalysisJob<object, Part>): Promise<void> => vi.waitFor(() => expect(job.isLoading).toBe(false));

test("it asks until the result is final, and shows each part", async () => {
  const { job, sent } = jobWith(part("running", 1), part("running", 2));
  job.load({ a: 1 });
  await vi.waitFor(() => expect(job.result?.progress.done).toBe(1));
  expect(job.isOld).toBe(false);
  await ended(job);
  expect(job.result?.progress).toMatchObject({ done: 3, state: "done" });
  job.load({ a: 1 });
  expect(sent).toHaveLength(3);
});

test("a failure keeps the last result and says why; retry asks again", async () => {
  const { job } = jobWith(part("done", 3), part("failed", 0));
  job.load({ a: 1 });
  await ended(job);
  job.load({ a: 2 });
  expect(job.isOld).toBe(true);
  await ended(job);
  expect([job.error, job.result?.progress.done]).toEqual(["It died", 3]);
  job.retry();
  await ended(job);
  expect(job.error).toBe("");
});

test("a request that is rejected has the server's sentence and traceback", async () => {
  const failure = Object.assign(new Error("No model"), { details: { traceback: "Traceback…" } });
  const { job } = jobWith(failure);
  job.load({});
  await ended(job);
  expect([job.error, job.traceback]).toEqual(["No model", "Traceback…"]);
  expect(tracebackOf(null)).toBe("");
});

test("stopping sends the key of what runs", async () => {
  const { job, sent } = jobWith(part("running", 1), part("stopped", 1));
  job.load({});
  await vi.waitFor(() => expect(job.result).not.toBeNull());
  await job.stop();
  await ended(job);
  expect(sent).toContain("stop");
  expect(job.result?.progress.state).toBe("stopped");
});

import { expect, test, vi } from "vitest";
import { PredictionWait } from "./prediction_wait";

/** Models that predict until the test removes them from the set. */
function waitFor(...predicting: string[]) {
  const names = new Set(predicting);
  const onTooEarly = vi.fn();
  const wait = new PredictionWait((models) => models.some((name) => names.has(name)), onTooEarly);
  return { names, wait, onTooEarly };
}

test("a request is sent once its models have predicted all rows", async () => {
  const { names, wait } = waitFor("slow", "other");
  const send = vi.fn(() => Promise.resolve("answer"));
  const answer = wait.send(["slow"], send);
  wait.update();
  expect(send).not.toHaveBeenCalled();
  names.delete("slow");
  wait.update();
  expect(await answer).toBe("answer");
  expect(await wait.send(["stored"], send)).toBe("answer");
});

test("a request that is too early is sent again, and any other failure is one", async () => {
  vi.useFakeTimers();
  const { wait, onTooEarly } = waitFor();
  const early = Object.assign(new Error("ask again"), { code: "unavailable" });
  const send = vi.fn().mockRejectedValueOnce(early).mockResolvedValueOnce("answer");
  const answer = wait.send([""], send);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await answer).toBe("answer");
  expect(onTooEarly).toHaveBeenCalledOnce();
  await expect(wait.send([""], () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  vi.useRealTimers();
});

test("an aborted request is never sent", async () => {
  const { names, wait } = waitFor("slow");
  const abort = new AbortController();
  const send = vi.fn(() => Promise.resolve("answer"));
  const answer = wait.send(["slow"], send, abort.signal);
  abort.abort();
  await expect(answer).rejects.toThrow();
  names.delete("slow");
  wait.update();
  expect(send).not.toHaveBeenCalled();
});

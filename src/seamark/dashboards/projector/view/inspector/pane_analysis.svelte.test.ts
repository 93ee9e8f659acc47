import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import { PaneAnalysis } from "./pane_analysis.svelte";

test("the quality of an earlier epoch says so until that of the picture is there", async () => {
  const ends: (() => void)[] = [];
  const request = { run: "a", name: "b" };
  let projection = $state.raw({ state: "running", epoch: 1, placed: 5 });
  const pane = {
    model: {
      clustersBy: "off",
      clusterCount: 0,
      requests: { quality: () => new Promise((resolve) => ends.push(() => resolve({ trustworthiness: 0.7 }))) },
    },
    ref: request,
    projected: request,
    get projection() {
      return projection;
    },
    metadataColumnName: "",
    metadataColumn: null,
  };
  let analysis!: PaneAnalysis;
  const stop = $effect.root(() => {
    analysis = new PaneAnalysis(pane as never);
  });
  flushSync();
  ends[0]!();
  await vi.waitFor(() => expect(analysis.quality).not.toBeNull());
  expect(analysis.qualityNote).toBe("");
  projection = { state: "done", epoch: 500, placed: 5 };
  flushSync();
  expect(analysis.qualityNote).toContain("Quality of epoch 1;");
  stop();
});

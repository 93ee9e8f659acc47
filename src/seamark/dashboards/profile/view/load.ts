/** Requests of Profile. */

import { requestBlock, requestJson, type DashboardContext } from "$public/core";
import type {
  Area,
  Captures,
  Comparison,
  Compile,
  CounterWindow,
  Distributed,
  Findings,
  Flows,
  InputPipeline,
  Kernels,
  Matches,
  Memory,
  Modules,
  Operators,
  Overview,
  ProfileInfo,
  ProfileRef,
  ReadingState,
  Roofline,
  Rules,
  SliceDetails,
  StackTree,
  StepStrip,
  TraceWindow,
} from "./wire";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export class ProfileRequests {
  constructor(private readonly context: DashboardContext) {}

  captures(signal?: AbortSignal): Promise<Captures> {
    return requestJson(this.context.address("captures"), { signal }) as Promise<Captures>;
  }

  state(ref: ProfileRef, signal?: AbortSignal): Promise<ReadingState> {
    return this.#get("state", ref, {}, signal);
  }

  info(ref: ProfileRef, signal?: AbortSignal): Promise<ProfileInfo> {
    return this.#get("info", ref, {}, signal);
  }

  overview(ref: ProfileRef, signal?: AbortSignal): Promise<Overview> {
    return this.#get("overview", ref, {}, signal);
  }

  /** `step`: position in the list of steps. */
  step(ref: ProfileRef, step: number, signal?: AbortSignal): Promise<StepStrip> {
    return this.#get("step", ref, { step }, signal);
  }

  findings(ref: ProfileRef, allRanks: boolean, signal?: AbortSignal): Promise<Findings> {
    return this.#get("findings", ref, { all_ranks: allRanks }, signal);
  }

  rules(signal?: AbortSignal): Promise<Rules> {
    return requestJson(this.context.address("rules"), { signal }) as Promise<Rules>;
  }

  /** `rows` as "0-12,40-41". */
  window(ref: ProfileRef, span: Span, width: number, rows: string, signal?: AbortSignal): Promise<TraceWindow> {
    return this.#columns("window", ref, { ...span, width, rows }, signal);
  }

  async names(ref: ProfileRef, ids: readonly number[], signal?: AbortSignal): Promise<readonly string[]> {
    const answer = await this.#get<{ names: readonly string[] }>("names", ref, { ids: ids.join(",") }, signal);
    return answer.names;
  }

  counter(ref: ProfileRef, counter: number, span: Span, width: number, signal?: AbortSignal): Promise<CounterWindow> {
    return this.#columns("counter", ref, { counter, ...span, width }, signal);
  }

  slice(ref: ProfileRef, slice: number, signal?: AbortSignal): Promise<SliceDetails> {
    return this.#get("slice", ref, { slice }, signal);
  }

  flows(ref: ProfileRef, slice: number, signal?: AbortSignal): Promise<Flows> {
    return this.#columns("flows", ref, { slice }, signal);
  }

  search(ref: ProfileRef, text: string, isRegex: boolean, signal?: AbortSignal): Promise<Matches> {
    return this.#columns("search", ref, { text, is_regex: isRegex }, signal);
  }

  async near(
    ref: ProfileRef,
    slice: number,
    direction: "previous" | "next" | "parent" | "child",
    signal?: AbortSignal,
  ): Promise<number> {
    return (await this.#get<{ slice: number }>("near", ref, { slice, direction }, signal)).slice;
  }

  /** `tracks` as "0,3,4"; "": all. */
  area(
    ref: ProfileRef,
    span: Span,
    tracks: string,
    by: "name" | "activity" | "track",
    signal?: AbortSignal,
  ): Promise<Area> {
    return this.#get("area", ref, { ...span, tracks, by }, signal);
  }

  flame(ref: ProfileRef, span: Span, tracks: string, signal?: AbortSignal): Promise<StackTree> {
    return this.#get("flame", ref, { ...span, tracks }, signal);
  }

  exportAddress(ref: ProfileRef, span: Span, tracks: string): string {
    return this.context.address("export", { ...ref, ...span, tracks });
  }

  operators(ref: ProfileRef, group: "name" | "shapes", signal?: AbortSignal): Promise<Operators> {
    return this.#get("operators", ref, { group }, signal);
  }

  callTree(ref: ProfileRef, signal?: AbortSignal): Promise<StackTree> {
    return this.#get("call_tree", ref, {}, signal);
  }

  kernels(ref: ProfileRef, signal?: AbortSignal): Promise<Kernels> {
    return this.#get("kernels", ref, {}, signal);
  }

  memory(ref: ProfileRef, signal?: AbortSignal): Promise<Memory> {
    return this.#get("memory", ref, {}, signal);
  }

  input(ref: ProfileRef, signal?: AbortSignal): Promise<InputPipeline> {
    return this.#get("input", ref, {}, signal);
  }

  modules(ref: ProfileRef, signal?: AbortSignal): Promise<Modules> {
    return this.#get("modules", ref, {}, signal);
  }

  distributed(ref: ProfileRef, signal?: AbortSignal): Promise<Distributed> {
    return this.#get("distributed", ref, {}, signal);
  }

  compile(ref: ProfileRef, signal?: AbortSignal): Promise<Compile> {
    return this.#get("compile", ref, {}, signal);
  }

  roofline(ref: ProfileRef, signal?: AbortSignal): Promise<Roofline> {
    return this.#get("roofline", ref, {}, signal);
  }

  compare(ref: ProfileRef, other: ProfileRef, signal?: AbortSignal): Promise<Comparison> {
    return this.#get("compare", ref, otherNames(other), signal);
  }

  tableAddress(ref: ProfileRef, table: string): string {
    return this.context.address("table", { ...ref, table });
  }

  comparedTableAddress(ref: ProfileRef, other: ProfileRef, table: "operators" | "kernels"): string {
    return this.context.address("compared_table", { ...ref, ...otherNames(other), table });
  }

  #get<Value>(
    path: string,
    ref: ProfileRef,
    parameters: Readonly<Record<string, string | number | boolean>>,
    signal?: AbortSignal,
  ): Promise<Value> {
    return requestJson(this.context.address(path, { ...ref, ...parameters }), { signal }) as Promise<Value>;
  }

  async #columns<Value>(
    path: string,
    ref: ProfileRef,
    parameters: Readonly<Record<string, string | number | boolean>>,
    signal?: AbortSignal,
  ): Promise<Value> {
    const { header, columns } = await requestBlock(this.context.address(path, { ...ref, ...parameters }), { signal });
    return { ...header, ...columns } as Value;
  }
}

const otherNames = ({ run, capture, host }: ProfileRef): Readonly<Record<string, string>> => ({
  other_run: run,
  other_capture: capture,
  other_host: host,
});

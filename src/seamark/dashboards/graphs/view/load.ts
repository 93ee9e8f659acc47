/** Requests of Graphs. */

import { requestJson, type DashboardContext } from "$public/core";
import type {
  BoxDetails,
  Comparison,
  GraphEntry,
  GraphRef,
  Layers,
  Overlay,
  OverlayRequest,
  SearchResponse,
  ViewRequest,
  VisibleGraph,
} from "./wire";

export interface GraphList {
  readonly graphs: readonly GraphEntry[];
  readonly more: boolean;
}

export interface TraceRequest extends ViewRequest {
  readonly id: string;
  readonly direction: "inputs" | "outputs";
  readonly hops: number;
}

export interface PathRequest extends ViewRequest {
  readonly start: string;
  readonly end: string;
}

export interface DetailsSpec {
  readonly ref: GraphRef;
  readonly id: string;
  readonly baseline: GraphRef | null;
  /** The run metadata with its time and memory; "" for none. */
  readonly profile: string;
}

export class GraphRequests {
  constructor(private readonly context: DashboardContext) {}

  list(signal?: AbortSignal): Promise<GraphList> {
    return this.#get("graphs", {}, signal);
  }

  view(request: ViewRequest, signal?: AbortSignal): Promise<VisibleGraph> {
    return this.#post(this.context.address("view"), request, signal);
  }

  overlay(request: OverlayRequest, signal?: AbortSignal): Promise<Overlay> {
    return this.#post(this.context.address("overlay"), request, signal);
  }

  /** By colour: why boxes cannot be coloured by it. */
  async colourReasons(ref: GraphRef, profile: string, signal?: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const { reasons } = await this.#get<{ reasons: Record<string, string> }>(
      "colours",
      { ...of(ref), profile },
      signal,
    );
    return reasons;
  }

  trace(request: TraceRequest, signal?: AbortSignal): Promise<{ readonly hops: Readonly<Record<string, number>> }> {
    return this.#post(this.context.address("trace"), request, signal);
  }

  path(
    request: PathRequest,
    signal?: AbortSignal,
  ): Promise<{ readonly boxes: readonly string[]; readonly nodes: readonly string[] }> {
    return this.#post(this.context.address("path"), request, signal);
  }

  search(ref: GraphRef, text: string, signal?: AbortSignal): Promise<SearchResponse> {
    return this.#get("search", { ...of(ref), text }, signal);
  }

  /** With a baseline, a box may be one that only the baseline has. */
  details({ ref, id, baseline, profile }: DetailsSpec, signal?: AbortSignal): Promise<BoxDetails> {
    const parameters = baseline ? { baseline_run: baseline.run, baseline_graph: baseline.graph } : {};
    return this.#get("details", { ...of(ref), id, profile, ...parameters }, signal);
  }

  layers(ref: GraphRef, profile: string, signal?: AbortSignal): Promise<Layers> {
    return this.#get("layers", { ...of(ref), profile }, signal);
  }

  compare(ref: GraphRef, baseline: GraphRef, signal?: AbortSignal): Promise<Comparison> {
    const parameters = { ...of(ref), baseline_run: baseline.run, baseline_graph: baseline.graph };
    return this.#get("compare", parameters, signal);
  }

  attributeAddress(ref: GraphRef, id: string, name: string): string {
    return this.context.address("attribute", { ...of(ref), id, name });
  }

  exportAddress(ref: GraphRef): string {
    return this.context.address("export", of(ref));
  }

  upload(file: File): Promise<GraphRef> {
    return this.#post(this.context.address("upload", { name: file.name }), file);
  }

  #get<Value>(path: string, parameters: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Value> {
    return requestJson(this.context.address(path, parameters), { signal }) as Promise<Value>;
  }

  #post<Value>(address: string, body: unknown, signal?: AbortSignal): Promise<Value> {
    return requestJson(address, { body, signal }) as Promise<Value>;
  }
}

const of = ({ run, graph }: GraphRef): Record<string, string> => ({ run, graph });

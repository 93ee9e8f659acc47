/** OperatorsModel: how the operators are grouped and measured, and the requests for them. Made while a component is. */

import { Resource } from "$public/core";
import type { ProfileModel } from "../profile_model.svelte";
import { countComplete } from "../steps";
import { TableState } from "../tables/table_state.svelte";
import type { Operators, ProfileRef, StackTree } from "../wire";
import { GROUPS, timeColumn, type Extent, type Grouping, type Measure, type Side } from "./columns";

interface OperatorsRequest {
  readonly ref: ProfileRef;
  readonly group: "name" | "shapes";
}

export class OperatorsModel {
  readonly #operators: Resource<OperatorsRequest, Operators>;
  readonly #tree: Resource<ProfileRef, StackTree>;
  /** Sorted by the chosen time unless a person sorted otherwise. */
  readonly table: TableState;
  readonly treeTable: TableState;

  constructor(private readonly profile: ProfileModel) {
    const { url } = profile.context;
    const chosen = () => [{ id: timeColumn(this.measure), descending: true }];
    this.table = new TableState(url, { name: "operators", sort: chosen });
    this.treeTable = new TableState(url, {
      name: "calls",
      sort: () => [{ id: timeColumn({ side: this.measure.side, extent: "total" }), descending: true }],
    });
    this.#operators = new Resource(({ ref, group }, signal) => profile.requests.operators(ref, group, signal));
    this.#tree = new Resource((ref, signal) => profile.requests.callTree(ref, signal));
    $effect(() => {
      const { ref } = profile;
      if (ref) this.#operators.load({ ref, group: this.grouping === "shapes" ? "shapes" : "name" });
    });
    $effect(() => {
      if (profile.ref && this.grouping === "tree") this.#tree.load(profile.ref);
    });
    $effect(() => () => {
      this.#operators.close();
      this.#tree.close();
    });
  }

  readonly operators = $derived.by((): Operators | null => this.#operators.value);
  readonly tree = $derived.by((): StackTree | null => this.#tree.value);
  readonly error = $derived.by(() => this.#operators.error || this.#tree.error);
  readonly steps = $derived.by((): number => countComplete(this.profile.info?.steps.steps ?? []));

  readonly grouping = $derived.by((): Grouping => {
    const name = this.table.get("group");
    return GROUPS.find((group) => group === name) ?? "name";
  });

  group(grouping: Grouping): void {
    this.table.set("group", grouping === "name" ? undefined : grouping);
  }

  readonly hasDevice = $derived.by((): boolean => (this.operators?.total_device_ns ?? null) !== null);
  readonly measure = $derived.by((): Measure => {
    const side: Side = this.hasDevice && this.table.get("side") !== "host" ? "device" : "host";
    const extent: Extent = this.table.get("time") === "total" ? "total" : "self";
    return { side, extent };
  });

  measureBy({ side, extent }: Measure): void {
    this.table.set("side", side === "host" && this.hasDevice ? "host" : undefined);
    this.table.set("time", extent === "total" ? "total" : undefined);
  }
}

/** What a board needs from the context of its dashboard. */

import type { TagEntry } from "../../data/api";

export interface AddressParams {
  get(name: string): string | undefined;
  set(name: string, value: string | undefined, options?: { readonly push?: boolean }): void;
}

export interface BoardCommand {
  readonly title: string;
  readonly keys?: string;
  run(): void;
}

export interface BoardHost {
  readonly catalogue: { readonly isComplete: boolean; tags(kind: string): readonly TagEntry[] };
  readonly runs: {
    readonly shown: readonly string[];
    readonly focused: string | null;
    isShown(run: string): boolean;
    styleOf(run: string): { readonly label: string };
    show(runs: readonly string[]): void;
  };
  readonly settings: { tagFilter: string; columns: number };
  readonly url: AddressParams;
  command(entry: BoardCommand): () => void;
}

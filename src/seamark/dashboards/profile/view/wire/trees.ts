/** Trees of calls and of modules. */

/** A tree in preorder: the parent of node i is nodes[i].parent. */
export interface StackNode {
  readonly name: string;
  readonly parent: number;
  readonly calls: number;
  readonly total_ns: number;
  readonly self_ns: number;
  readonly device_ns: number | null;
  readonly activity: number;
  readonly longest: number;
  /** Of modules: in the backward pass, with the modules inside it; null: not known. */
  readonly backward_ns: number | null;
  readonly backward_device_ns: number | null;
}

export interface StackTree {
  readonly nodes: readonly StackNode[];
  readonly is_cut: boolean;
}

export interface Modules {
  readonly tree: StackTree;
  /** "nn.Module", "name scope" */
  readonly source: string;
  readonly notes: readonly string[];
}

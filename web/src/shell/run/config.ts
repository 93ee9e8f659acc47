/** A run's config as rows of a tree, alone or beside another run's: what changed, what came, what went. */

export type Tree = Readonly<Record<string, unknown>>;
export type RowState = "" | "same" | "changed" | "added" | "removed";

export interface ConfigNode {
  readonly name: string;
  /** Every name on the way, as one text that no other row has. */
  readonly id: string;
  readonly children: readonly ConfigNode[];
  /** Of a leaf; undefined where the run does not have it. */
  readonly mine: string | undefined;
  readonly other: string | undefined;
  /** A folder's is "same" when all below it are, "changed" when some are not; "" without a second run. */
  readonly state: RowState;
  readonly leaves: number;
}

export interface ConfigRow {
  readonly node: ConfigNode;
  readonly depth: number;
  readonly isOpen: boolean;
}

export interface Counts {
  readonly all: number;
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
}

const isFolder = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
const own = (tree: Tree | undefined, name: string): unknown =>
  tree && Object.hasOwn(tree, name) ? tree[name] : undefined;

/** The config as it was given, and beside it what other files say of the run's parameters, under their full names. */
export function wholeConfig({ config, params }: { readonly config: Tree; readonly params: Tree }): Tree {
  const known = new Set(leafNames(config));
  const others = Object.entries(params).filter(([name]) => !known.has(name));
  return others.length === 0 ? config : { ...config, ...Object.fromEntries(others) };
}

function leafNames(tree: Tree, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    isFolder(value) ? leafNames(value, `${prefix}${name}.`) : [prefix + name],
  );
}

/** As it was written: text as such, everything else as JSON has it. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? String(value);
}

/** `other` null: the run alone. Names stand in the order of the config, those that only the other has come after. */
export function treeOf(mine: Tree, other: Tree | null, parents: readonly string[] = []): ConfigNode[] {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(other ?? {})])];
  return names.flatMap((name) => {
    const path = [...parents, name];
    const [a, b] = [own(mine, name), own(other ?? {}, name)];
    if (!isFolder(a) && !isFolder(b)) return [leafOf(path, a, b, other !== null)];
    // Where one has a value and the other a folder, both stand there: the value as a leaf of its own.
    const children = treeOf(isFolder(a) ? a : {}, other === null ? null : isFolder(b) ? b : {}, path);
    const folder = folderOf(path, children, other !== null);
    const [loose, looseOther] = [isFolder(a) ? undefined : a, isFolder(b) ? undefined : b];
    return loose === undefined && looseOther === undefined
      ? [folder]
      : [leafOf([...path, ""], loose, looseOther, true, name), folder];
  });
}

function leafOf(path: readonly string[], a: unknown, b: unknown, isBeside: boolean, name = path.at(-1)!): ConfigNode {
  const [mine, other] = [a, b].map((value) => (value === undefined ? undefined : valueText(value)));
  const state = !isBeside
    ? ""
    : mine === other
      ? "same"
      : mine === undefined
        ? "removed"
        : other === undefined
          ? "added"
          : "changed";
  return { name, id: path.join("\u0000"), children: [], mine, other, state, leaves: 1 };
}

function folderOf(path: readonly string[], children: readonly ConfigNode[], isBeside: boolean): ConfigNode {
  const leaves = children.reduce((sum, child) => sum + child.leaves, 0);
  const state = !isBeside ? "" : children.every((child) => child.state === "same") ? "same" : "changed";
  return { name: path.at(-1)!, id: path.join("\u0000"), children, mine: undefined, other: undefined, state, leaves };
}

export function countOf(nodes: readonly ConfigNode[]): Counts {
  let counts: Counts = { all: 0, changed: 0, added: 0, removed: 0 };
  for (const node of nodes) {
    const below =
      node.children.length > 0
        ? countOf(node.children)
        : {
            all: 1,
            changed: Number(node.state === "changed"),
            added: Number(node.state === "added"),
            removed: Number(node.state === "removed"),
          };
    counts = {
      all: counts.all + below.all,
      changed: counts.changed + below.changed,
      added: counts.added + below.added,
      removed: counts.removed + below.removed,
    };
  }
  return counts;
}

export interface RowsRequest {
  /** Folders that a person opened or closed. */
  readonly toggled: ReadonlySet<string>;
  readonly changesOnly: boolean;
  /** Only leaves whose path or value holds this text, in any case; folders are then open. */
  readonly find: string;
}

/** As many keys can be looked through; beyond, folders start closed. */
const FEW_KEYS = 60;

export function rowsOf(nodes: readonly ConfigNode[], request: RowsRequest): ConfigRow[] {
  const isLarge = nodes.reduce((sum, node) => sum + node.leaves, 0) > FEW_KEYS;
  const rows: ConfigRow[] = [];
  const walk = (node: ConfigNode, depth: number): void => {
    if (!isWanted(node, request)) return;
    // Folders that hold nothing but what is equal say so in one row.
    const opensByItself = node.state === "same" ? false : !isLarge || node.state === "changed";
    const isOpen =
      node.children.length > 0 &&
      (request.find !== "" || request.changesOnly || opensByItself !== request.toggled.has(node.id));
    rows.push({ node, depth, isOpen });
    if (isOpen) for (const child of node.children) walk(child, depth + 1);
  };
  for (const node of nodes) walk(node, 0);
  return rows;
}

function isWanted(node: ConfigNode, request: RowsRequest): boolean {
  if (request.changesOnly && node.state === "same") return false;
  if (node.children.length > 0) return node.children.some((child) => isWanted(child, request));
  if (request.find === "") return true;
  const text = `${node.id.replaceAll("\u0000", ".")} ${node.mine ?? ""} ${node.other ?? ""}`.toLowerCase();
  return text.includes(request.find.toLowerCase());
}

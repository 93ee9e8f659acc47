/** TracksModel: which tracks are pinned, collapsed, hidden and in which order, all of it in the address. */

import type { TraceHost } from "../host";
import { formatKeys, parseKeys } from "../address";
import { groupTracks, keysOf, movedBefore, trackKey, type TrackGroup } from "./groups";
import { layoutTracks, type Lane, type TrackLayout } from "./layout";

/** Above this many tracks, processes are collapsed until a person opens them. */
const MAX_OPEN_TRACKS = 200;

export class TracksModel {
  constructor(private readonly host: TraceHost) {}

  readonly pinned = $derived.by(() => parseKeys(this.host.context.url.get("pinned")) ?? []);
  readonly hidden = $derived.by(() => new Set(parseKeys(this.host.context.url.get("hidden")) ?? []));
  readonly #order = $derived.by(() => parseKeys(this.host.context.url.get("order")) ?? []);
  readonly groups = $derived.by((): readonly TrackGroup[] => {
    const { info } = this.host;
    return info ? groupTracks(info.tracks, info.counters, this.#order) : [];
  });
  readonly collapsed = $derived.by((): ReadonlySet<string> => {
    const keys = parseKeys(this.host.context.url.get("collapsed"));
    return new Set(keys ?? this.#collapsedAtFirst());
  });
  readonly layout = $derived.by((): TrackLayout =>
    layoutTracks(this.groups, { pinned: this.pinned, collapsed: this.collapsed, hidden: this.hidden }),
  );

  readonly count = $derived.by(() => this.groups.reduce((sum, group) => sum + keysOf(group).length, 0));
  readonly shownCount = $derived.by(() => this.count - this.hidden.size);

  isPinned(key: string): boolean {
    return this.pinned.includes(key);
  }

  togglePin(key: string): void {
    const keys = this.isPinned(key) ? this.pinned.filter((each) => each !== key) : [...this.pinned, key];
    this.host.context.url.set("pinned", keys.length > 0 ? formatKeys(keys) : undefined);
  }

  toggleCollapsed(key: string): void {
    const keys = new Set(this.collapsed);
    if (!keys.delete(key)) keys.add(key);
    this.host.context.url.set("collapsed", formatKeys(keys));
  }

  /** Opens what hides a track. */
  reveal(track: number): void {
    const group = this.groups.find(({ tracks }) => tracks.some(({ id }) => id === track));
    if (!group) return;
    if (this.hidden.has(trackKey(track))) this.toggleHidden(trackKey(track));
    if (!this.isPinned(trackKey(track)) && this.collapsed.has(group.key)) this.toggleCollapsed(group.key);
    const pool = group.pools.get(track);
    if (!this.isPinned(trackKey(track)) && pool && this.collapsed.has(pool.key)) this.toggleCollapsed(pool.key);
    if (this.collapsed.has(trackKey(track))) this.toggleCollapsed(trackKey(track));
  }

  toggleHidden(key: string): void {
    const keys = new Set(this.hidden);
    if (!keys.delete(key)) keys.add(key);
    this.#hide(keys);
  }

  /** Shows or hides all tracks of a process. */
  setGroupHidden(group: TrackGroup, isHidden: boolean): void {
    const keys = new Set(this.hidden);
    for (const key of keysOf(group)) if (isHidden) keys.add(key); else keys.delete(key); // prettier-ignore
    this.#hide(keys);
  }

  #hide(keys: ReadonlySet<string>): void {
    this.host.context.url.set("hidden", keys.size > 0 ? formatKeys(keys) : undefined);
  }

  /** Puts a track before another of the same process, or a pinned one before another pinned one. */
  move(moved: string, before: Lane): void {
    if (this.isPinned(moved) && before.isPinned) {
      this.host.context.url.set("pinned", formatKeys(movedBefore(this.pinned, moved, before.key)));
      return;
    }
    const group = this.groups.find((each) => keysOf(each).includes(moved));
    if (!group || before.group?.key !== group.key || before.type === "group" || before.type === "pool") return;
    const isTrack = moved.startsWith("t");
    const keys = keysOf(group).filter((key) => key.startsWith("t") === isTrack);
    if (!keys.includes(before.key)) return;
    const others = this.#order.filter((key) => !keys.includes(key));
    this.host.context.url.set("order", formatKeys([...others, ...movedBefore(keys, moved, before.key)]));
  }

  /** Up or down by one, for the keyboard. */
  moveBy(lane: Lane, step: 1 | -1): void {
    const siblings = this.#siblingsOf(lane);
    const at = siblings.indexOf(lane);
    const before = step < 0 ? siblings[at - 1] : siblings[at + 1];
    if (!before) return;
    if (step < 0) this.move(lane.key, before);
    else this.move(before.key, lane);
  }

  #siblingsOf(lane: Lane): Lane[] {
    const region = lane.isPinned ? this.layout.pinned : this.layout.body;
    return region.lanes.filter(({ type, group }) =>
      lane.isPinned ? type !== "heading" : type === lane.type && group?.key === lane.group?.key,
    );
  }

  /** Pools of threads, and processes of other hosts than the first; all but the first if there are very many tracks. */
  #collapsedAtFirst(): string[] {
    const isMany = this.count > MAX_OPEN_TRACKS;
    const first = this.groups[0]?.host;
    const groups = this.groups.filter(({ host, tracks }) => host !== first || (isMany && tracks.length > 20));
    const pools = new Set(this.groups.flatMap((group) => [...group.pools.values()].map(({ key }) => key)));
    return [...groups.map(({ key }) => key), ...pools];
  }
}

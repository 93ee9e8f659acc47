/** ProfileModel: which profile is shown, on which sub-tab, and what all sub-tabs read from it. */

import { createContext } from "svelte";
import { Resource, type DashboardContext } from "$public/core";
import { ProfileRequests, type Span } from "./load";
import { isSameProfile } from "./profile_ref";
import { ReadingModel } from "./reading/reading_model.svelte";
import { SUB_TABS, type CaptureEntry, type Captures, type ProfileInfo, type ProfileRef, type SubTab } from "./wire";

/** Times, slices and tracks mean something else in another profile. */
const OF_ONE_PROFILE = [
  "steps",
  "step",
  "start",
  "end",
  "slice",
  "marked",
  "area",
  "pinned",
  "collapsed",
  "hidden",
  "order",
] as const;

export class ProfileModel {
  readonly requests: ProfileRequests;
  readonly #captures: Resource<null, Captures>;
  readonly #info: Resource<ProfileRef, ProfileInfo>;
  readonly reading: ReadingModel;

  constructor(readonly context: DashboardContext) {
    this.requests = new ProfileRequests(context);
    this.#captures = new Resource((_, signal) => this.requests.captures(signal), { pauseMs: 1000 });
    this.#info = new Resource((ref, signal) => this.requests.info(ref, signal));
    $effect(() => {
      this.#captures.load(null, `${context.catalogue.runs.length} ${context.catalogue.changedAt}`);
    });
    this.reading = new ReadingModel({ ref: () => this.ref, state: (ref, signal) => this.requests.state(ref, signal) });
    $effect(() => {
      if (this.ref && this.reading.isReady) this.#info.load(this.ref);
    });
  }

  // Which profile; all of it is in the address.

  readonly captures = $derived.by((): readonly CaptureEntry[] => this.#captures.value?.captures ?? []);
  readonly isListed = $derived.by(() => this.#captures.value !== null || this.#captures.error !== "");
  readonly listError = $derived.by(() => this.#captures.error);

  /** Null if there is none, or none in the run that the address names. */
  readonly capture = $derived.by((): CaptureEntry | null => {
    const run = this.context.url.get("run");
    const name = this.context.url.get("capture");
    const ofRun = this.captures.filter((entry) => run === undefined || entry.run === run);
    return ofRun.find((entry) => entry.name === name) ?? ofRun.find(({ is_remainder }) => !is_remainder) ?? null;
  });

  readonly host = $derived.by((): string => {
    const host = this.context.url.get("host");
    const hosts = this.capture?.hosts ?? [];
    return hosts.some((entry) => entry.host === host) ? host! : (hosts[0]?.host ?? "");
  });

  /** Null while there is none. */
  readonly ref = $derived.by((): ProfileRef | null => {
    const steps = this.context.url.get("steps") ?? "";
    return this.capture && { run: this.capture.run, capture: this.capture.name, host: this.host, steps };
  });

  show(capture: CaptureEntry, host = ""): void {
    const { url } = this.context;
    url.set("run", capture.run);
    url.set("capture", capture.name);
    url.set("host", host || undefined);
    for (const name of OF_ONE_PROFILE) url.set(name, undefined);
  }

  readonly subTab = $derived.by((): SubTab => {
    const name = this.context.url.get("page");
    return SUB_TABS.find((tab) => tab === name) ?? "overview";
  });

  open(subTab: SubTab): void {
    this.context.url.set("page", subTab === "overview" ? undefined : subTab, { push: true });
  }

  /** The window of Trace, if a person moved it; else null. */
  readonly window = $derived.by((): Span | null => {
    const [start, end] = [Number(this.context.url.get("start")), Number(this.context.url.get("end"))];
    return end > start ? { start, end } : null;
  });

  /** The address of a sub-tab for the same profile; `parameters` as in the address. */
  linkTo(subTab: SubTab, parameters: Readonly<Record<string, string | undefined>> = {}): string {
    const { name } = this.context;
    const changes = { page: subTab === "overview" ? undefined : subTab, ...parameters };
    const scoped = Object.entries(changes).map(([key, value]) => [`${name}.${key}`, value] as const);
    return this.context.linkTo(name, Object.fromEntries(scoped));
  }

  /** Of the profile that is shown; null until it is read. */
  readonly info = $derived.by((): ProfileInfo | null => {
    const { loaded } = this.#info;
    return loaded && this.ref && isSameProfile(loaded.request, this.ref) ? loaded.value : null;
  });

  /** Why there is no `info`; "" while there is nothing wrong. */
  readonly problem = $derived.by(() => this.reading.problem || this.#info.error);

  retry(): void {
    this.reading.retry();
    this.#info.retry();
  }
}

export const [getProfileModel, setProfileModel] = createContext<ProfileModel>();

/** What is saved on the server for this log directory: names and notes, pins, and what each dashboard saves. */

import type { StateChange, StateDocument } from "./api";
import { RequestError, requestJson } from "./request";

const MAX_CONFLICTS = 5;
let readOnlyReason = (): string => "";

/** Where the person may only look, a change fails with this reason and is not sent. */
export function explainReadOnly(reason: () => string): void {
  readOnlyReason = reason;
}

let requested: Promise<StateDocument> | undefined;

/** Calls of one moment share a request: an opened view reads several things that are in the document. */
export function fetchState(): Promise<StateDocument> {
  requested ??= requestJson<StateDocument>("api/state");
  queueMicrotask(() => (requested = undefined));
  return requested;
}

/** Returns the document after the change. When another page changed it since `version`, the change is sent again. */
export async function changeState(change: StateChange, version?: number): Promise<StateDocument> {
  const reason = readOnlyReason();
  if (reason) throw new RequestError(reason, 403, "forbidden");
  let base = version ?? (await fetchState()).version;
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await requestJson<StateDocument>("api/state", { method: "PATCH", body: { version: base, ...change } });
    } catch (failure) {
      const current = conflictOf(failure);
      if (!current || conflicts === MAX_CONFLICTS) throw failure;
      base = current.version;
    }
  }
}

/** The document as another page changed it, if that is why the server rejected a change. */
const conflictOf = (failure: unknown): StateDocument | undefined =>
  failure instanceof RequestError && failure.code === "conflict" ? (failure.details.state as StateDocument) : undefined;

/** Whatever was saved, by whatever version of the page: validate it. */
export async function loadState(dashboard: string): Promise<unknown> {
  return own((await fetchState()).dashboards, dashboard);
}

/** Merges (null removes; lists are replaced) and returns what is saved now. Of two changes of the same thing the last one wins. */
export async function patchState(dashboard: string, change: Readonly<Record<string, unknown>>): Promise<unknown> {
  return own((await changeState({ dashboards: { [dashboard]: change } })).dashboards, dashboard);
}

/** Saves a text that is too long for an address; returns the id that it is found by. */
export async function saveText(text: string): Promise<string> {
  return (await requestJson<{ id: string }>("api/state/texts", { body: { text } })).id;
}

export async function loadText(id: string, signal?: AbortSignal): Promise<string> {
  const address = `api/state/texts?${new URLSearchParams({ id }).toString()}`;
  return (await requestJson<{ text: string }>(address, { signal })).text;
}

const own = (saved: Readonly<Record<string, unknown>> | undefined, name: string): unknown =>
  saved && Object.hasOwn(saved, name) ? saved[name] : undefined;

/** Pinned cards; none if the server cannot be reached. */
export const fetchPins = (): Promise<readonly unknown[]> =>
  fetchState().then(
    ({ pins }) => pins,
    () => [],
  );

/** Pins are in the address as well, and the page says elsewhere that the server is gone: a failure is not reported. */
export const savePins = (pins: readonly unknown[]): Promise<void> =>
  changeState({ pins }).then(
    () => undefined,
    () => undefined,
  );

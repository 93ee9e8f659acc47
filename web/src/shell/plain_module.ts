/** The module of a view of another package: imported, and where it failed. */

import { asError } from "../base/errors";
import type { View } from "../public/view_types";

/** Files of version 0 are those that the server started with. */
export const moduleAddress = (module: string, version: number | undefined): string =>
  version === undefined ? module : module.replace("/files/0/", `/files/${version}/`);

/** Only from this server: the content policy allows no other. */
export async function importView(address: string): Promise<View> {
  const href = new URL(address, document.baseURI).href;
  const files = watchFiles(href);
  let module: { default?: View };
  try {
    module = (await import(/* @vite-ignore */ href)) as { default?: View };
  } catch (thrown) {
    throw await withReason(asError(thrown), href, files.missing());
  } finally {
    files.stop();
  }
  if (typeof module.default?.mount !== "function")
    throw new Error(`its module has no default export with a mount function: '${address}'`);
  return module.default;
}

/** The first place in a stack that is in a file of a view: "view.js, line 3, column 9"; "" if there is none. */
export function placeInStack(stack: string): string {
  const found = /\/api\/dashboards\/[^/\s]+\/files\/\d+\/([^\s?:)]+)(?:\?[^\s:)]*)?:(\d+):(\d+)/.exec(stack);
  return found ? placeOf(found[1]!, found[2]!, found[3]!) : "";
}

/** What a view threw: as a sentence, with its place in the view's files. */
export function sentenceOf(thrown: unknown): string {
  const { message, stack = "" } = asError(thrown);
  const place = placeInStack(stack);
  return place === "" || message.includes(place) ? message : `${message} (${place})`;
}

const placeOf = (file: string, line: string | number, column: string | number): string =>
  `${file}, line ${line}, column ${column}`;

/** A rejected import says neither which file is missing nor where a syntax error is. */
async function withReason(error: Error, href: string, missing: string): Promise<Error> {
  const reason = error instanceof SyntaxError ? await syntaxErrorOf(href) : missing;
  return reason === "" ? error : new Error(reason, { cause: error });
}

const folderOf = (href: string): string => href.slice(0, href.indexOf("/files/") + "/files/".length);

/** The files of a view that the server does not have, of those that are requested from now on. */
function watchFiles(href: string): { missing(): string; stop(): void } {
  const entries: PerformanceResourceTiming[] = [];
  const add = (list: PerformanceEntryList): void => void entries.push(...(list as PerformanceResourceTiming[]));
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "resource" });
  return {
    missing() {
      add(observer.takeRecords());
      const found = entries.find(
        ({ name, responseStatus }) => name.startsWith(folderOf(href)) && responseStatus >= 400,
      );
      return found ? `its file '${nameOf(found.name)}' cannot be loaded: status ${found.responseStatus}` : "";
    },
    stop: () => observer.disconnect(),
  };
}

const nameOf = (href: string): string => decodeURIComponent(href.slice(folderOf(href).length).replace(/^\d+\//, ""));

/** The browser reports the place of an error in a script element, and only there. */
function syntaxErrorOf(href: string): Promise<string> {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    const report = (event: ErrorEvent): void => {
      if (!event.filename.startsWith(folderOf(href))) return;
      event.preventDefault(); // it is handled: the tab says it
      const message = event.message.replace(/^Uncaught /, "");
      done(`${message} (${placeOf(nameOf(event.filename), event.lineno, event.colno)})`);
    };
    const done = (reason: string): void => {
      removeEventListener("error", report);
      script.remove();
      resolve(reason);
    };
    addEventListener("error", report);
    script.type = "module";
    script.src = href;
    script.onload = script.onerror = () => setTimeout(() => done(""));
    document.head.append(script);
  });
}

import "./base/tokens.css";
import "./ui/base.css";
import { mount } from "svelte";
import { whenIdle } from "./base/idle";
import { isPublished, manifestAddress } from "./data/published";
import App from "./shell/App.svelte";
import { prefetchView } from "./shell/dashboards";
import { loadParts } from "./shell/late";
import { Shell } from "./shell/shell.svelte";

/** The lists and the first view were requested with the page itself. If they are not here after this time, the page fills later. */
const MAX_WAIT_MS = 100;
/** When the late parts are loaded at the latest, in a page that is busy. */
const LATE_PARTS_MS = 3000;

/** Set by a server of a team, which has pages of its own and adds to those of a project. */
const TEAM = document.querySelector<HTMLMetaElement>('meta[name="seamark-team"]');
const target = document.getElementById("app")!;

function startShell(extend?: (shell: Shell) => void): void {
  const shell = new Shell();
  extend?.(shell);
  const { session, url } = shell;
  const view = url.place.page === "dashboards" ? prefetchView(url.tab) : undefined;
  // Not awaited in the module itself: the bundler would then put what others share elsewhere.
  void Promise.race([
    Promise.all([session.start(), view]),
    new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
  ]).then(() => {
    mount(App, { target, props: { shell } });
    // A failure is shown where a part is opened.
    whenIdle(() => void loadParts().catch(() => undefined), LATE_PARTS_MS);
  });
}

// A published site has no server: its files answer, once they are open.
if (isPublished)
  void import("./shell/site/unlock").then(({ openSite }) => openSite(manifestAddress).then(() => startShell()));
else if (TEAM) void import("./team/start").then(({ startTeam }) => startTeam(target, startShell));
else startShell();

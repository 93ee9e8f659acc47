import "./base/tokens.css";
import "./ui/base.css";
import { mount } from "svelte";
import App from "./shell/App.svelte";
import { prefetchView } from "./shell/dashboards";
import { Shell } from "./shell/shell.svelte";

/** The lists and the first view were asked for with the page itself: mostly they are here, and all is made at once. Else it fills. */
const PATIENCE_MS = 100;

const shell = new Shell();
const { session, url } = shell;
const view = url.place.page === "dashboards" ? prefetchView(url.tab) : undefined;
// Not awaited in the module itself: the bundler would then put what others share elsewhere.
void Promise.race([
  Promise.all([session.start(), view]),
  new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
]).then(() => mount(App, { target: document.getElementById("app")!, props: { shell } }));

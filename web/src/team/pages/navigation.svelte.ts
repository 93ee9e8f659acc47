/** Which of the team's pages is open. Links between them open without loading the document again. */

import { createContext } from "svelte";
import { TEAM_ROOT, teamAddress } from "../root";
import { isShellPath, parseTeamRoute, type TeamRoute } from "../routes";

const routeNow = (): TeamRoute => parseTeamRoute(location.pathname.slice(TEAM_ROOT.length), location.search);

export class Navigation {
  route = $state.raw<TeamRoute>(routeNow());

  /** `path` is below the team's root. */
  open(path: string, { replace = false } = {}): void {
    if (isShellPath(path)) return location.assign(teamAddress(path));
    if (replace) history.replaceState(null, "", teamAddress(path));
    else history.pushState(null, "", teamAddress(path));
    this.route = routeNow();
  }

  /** Opens an address that begins with the root, as `next` of the sign-in page does. */
  openAddress(address: string): void {
    location.assign(address);
  }

  /** Follows back and forward, and presses of links, until the returned function is called. */
  follow(): () => void {
    const read = (): void => void (this.route = routeNow());
    const press = (event: MouseEvent): void => this.#press(event);
    addEventListener("popstate", read);
    addEventListener("click", press);
    return () => {
      removeEventListener("popstate", read);
      removeEventListener("click", press);
    };
  }

  #press(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    const path = link.pathname.slice(TEAM_ROOT.length);
    const isPage = link.pathname.startsWith(TEAM_ROOT) && !isShellPath(path) && !path.startsWith("team/");
    if (!isPage) return;
    event.preventDefault();
    this.open(path + link.search);
  }
}

export const [useNavigation, provideNavigation] = createContext<Navigation>();

/** Opens a published site before the page starts: asks for its passphrase if it has one. */

import { mount, unmount } from "svelte";
import { messageOf } from "../../base/errors";
import { SiteClient } from "../../data/site/site_client";
import SiteFailure from "./SiteFailure.svelte";
import Unlock from "./Unlock.svelte";

/** Resolves when the site answers the page's requests; never, if it cannot be read, which the page then says. */
export async function openSite(manifestAddress: string): Promise<void> {
  const target = document.getElementById("app")!;
  try {
    const site = await SiteClient.open(manifestAddress);
    if (site.isEncrypted) await askPassphrase(site, target);
    else await site.unlock();
    document.title = site.title;
    site.install();
  } catch (failure) {
    mount(SiteFailure, { target, props: { message: messageOf(failure) } });
    await new Promise(() => undefined);
  }
}

async function askPassphrase(site: SiteClient, target: HTMLElement): Promise<void> {
  let form: Record<string, unknown> | undefined;
  await new Promise<void>((resolve) => {
    form = mount(Unlock, {
      target,
      props: { unlock: (passphrase: string) => site.unlock(passphrase), onunlock: resolve },
    });
  });
  await unmount(form!);
}

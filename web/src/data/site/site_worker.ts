/** The worker in which a published site is read, decrypted, decompressed and computed with: the page's own thread only draws. */

import { asError } from "../../base/errors";
import { RequestError } from "../request";
import { Site } from "./site";
import type { SiteCall, SiteReply } from "./site_client";

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<SiteCall>) => void) | null;
  postMessage(reply: SiteReply, transfer?: Transferable[]): void;
};
let site: Site | undefined;

scope.onmessage = async ({ data: call }) => {
  const { id } = call;
  try {
    if (call.type === "answer") {
      const response = await site!.answer(call);
      const bytes = await response.arrayBuffer();
      const media = response.headers.get("content-type") ?? "";
      scope.postMessage({ id, output: { status: response.status, media, bytes } }, [bytes]);
    } else if (call.type === "open") {
      site = new Site(call.manifest, call.base);
      scope.postMessage({ id, output: null });
    } else {
      await site!.unlock(call.passphrase);
      scope.postMessage({ id, output: { title: site!.title } });
    }
  } catch (failure) {
    const { name, message } = asError(failure);
    const { status = 500, code = "" } = failure instanceof RequestError ? failure : {};
    scope.postMessage({ id, error: { name, message, status, code } });
  }
};

/**
 * Images, videos and sounds by their addresses. On the page of a server an element loads its address itself; in a published site
 * the bytes are read from its files, and the element gets the address of a blob.
 */

import { saveBlob } from "../base/save";
import { isPublished } from "./published";
import { request } from "./request";

/** Blobs of elements that may still be on screen. */
const MAX_BLOBS = 300;
/** Fails to load, without a request and without a message in the console. */
const BROKEN = "data:,";
const blobs = new Map<string, Promise<string>>();
const wanted = new WeakMap<object, string>();

/** The address that an element can load. */
export function mediaAddress(address: string): Promise<string> {
  if (!isPublished || !address.startsWith("api/")) return Promise.resolve(address);
  const known = blobs.get(address);
  if (known) return known;
  const loading = request(address)
    .then((response) => response.blob())
    .then((blob) => URL.createObjectURL(blob));
  blobs.set(address, loading);
  loading.catch(() => blobs.delete(address));
  if (blobs.size > MAX_BLOBS) {
    const [oldest, made] = blobs.entries().next().value!;
    blobs.delete(oldest);
    void made.then((blob) => URL.revokeObjectURL(blob));
  }
  return loading;
}

/** Loads the address; of several calls for one element the last counts. */
export function setMedia(element: { src: string }, address: string): void {
  if (!isPublished) {
    element.src = address;
    return;
  }
  wanted.set(element, address);
  const show = (src: string): void => {
    if (wanted.get(element) === address) element.src = src;
  };
  void mediaAddress(address).then(show, () => show(BROKEN));
}

/** For `{@attach media(address)}` in place of `src`. */
export const media =
  (address: string) =>
  (element: HTMLImageElement | HTMLVideoElement): void =>
    setMedia(element, address);

/** Downloads what is at an address. */
export function saveAddress(address: string, name: string): void {
  if (isPublished) {
    void request(address)
      .then((response) => response.blob())
      .then((blob) => saveBlob(blob, name))
      .catch((failure: unknown) => alert(failure instanceof Error ? failure.message : String(failure)));
    return;
  }
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

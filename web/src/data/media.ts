/** Images, videos and sounds by their addresses. */

/** The address that an element can load. */
export const mediaAddress = (address: string): Promise<string> => Promise.resolve(address);

export function setMedia(element: { src: string }, address: string): void {
  element.src = address;
}

/** For `{@attach media(address)}` in place of `src`. */
export const media =
  (address: string) =>
  (element: HTMLImageElement | HTMLVideoElement): void =>
    setMedia(element, address);

/** Downloads what is at an address. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Loads the image that holds all thumbnails. */

import { mediaFiles } from "$public/core";

/** `address`: "" while none is wanted. */
export function loadSprite(address: () => string): { readonly image: HTMLImageElement | null } {
  let image = $state.raw<HTMLImageElement | null>(null);
  const wanted = $derived.by(address);
  $effect(() => {
    image = null;
    if (wanted === "") return;
    const loading = new Image();
    loading.onload = () => (image = loading);
    mediaFiles.set(loading, wanted);
    return () => (loading.onload = null);
  });
  return {
    get image() {
      return image;
    },
  };
}

import { media, mediaAddress, setMedia } from "../../data/media";

/**
 * Shows bytes of the server in an element, also where a published site has them in files: `{@attach mediaFiles.source(address)}` in
 * place of `src`, `set` for an element made by hand, and `address` for everything else that takes one.
 */
export const mediaFiles = { source: media, set: setMedia, address: mediaAddress } as const;

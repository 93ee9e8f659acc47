/** The late parts of the shell as `Late` takes them: `late("Palette")`. */

import { loadOnce } from "../base/load_once";

type Parts = typeof import("./late_parts");
export const loadParts = loadOnce((): Promise<Parts> => import("./late_parts"));

export const late =
  <Name extends keyof Parts>(name: Name) =>
  (): Promise<Parts[Name]> =>
    loadParts().then((parts) => parts[name]);

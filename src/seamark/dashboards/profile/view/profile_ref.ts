/** Whether two references name one profile; steps drawn by hand do not make it another. */

import type { ProfileRef } from "./wire";

export const isSameProfile = (a: ProfileRef, b: ProfileRef): boolean =>
  a.run === b.run && a.capture === b.capture && a.host === b.host;

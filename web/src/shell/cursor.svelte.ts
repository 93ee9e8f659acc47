/** The x position of the crosshair that all charts share. */

import type { SharedCursor } from "../public/core";

export class Cursor implements SharedCursor {
  x = $state<number | null>(null);
}

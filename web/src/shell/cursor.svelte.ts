/** The x position and zoom that all charts share. */

import type { SharedCursor } from "../public/core";

export class Cursor implements SharedCursor {
  x = $state<number | null>(null);
  zoom = $state.raw<{ from: number; to: number } | null>(null);
}

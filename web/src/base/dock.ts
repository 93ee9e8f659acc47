/** Where something that floats stands beside what it belongs to. */

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Corner {
  readonly left: number;
  readonly top: number;
}

const GAP_PX = 4;
const EDGE_PX = 8;

/** Below the box, above it where there is no room, and always inside the window as far as it fits. */
export function dock(box: Box, size: Size, window: Size, align: "left" | "right" = "left"): Corner {
  const inside = (value: number, length: number, available: number): number =>
    Math.max(EDGE_PX, Math.min(value, available - length - EDGE_PX));
  const below = box.bottom + GAP_PX;
  const fitsBelow = below + size.height <= window.height - EDGE_PX;
  return {
    left: inside(align === "right" ? box.right - size.width : box.left, size.width, window.width),
    top: fitsBelow ? below : inside(box.top - size.height - GAP_PX, size.height, window.height),
  };
}

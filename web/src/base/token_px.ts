/** A size of the design tokens, in pixels. Reading styles can cost a layout: read it once. */
export const tokenPx = (name: string): number =>
  parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name));

/** The height of a chart's card: as in the mock-up, nine charts on a screen of 1440 × 900. */

const HEAD_PX = 42;

export function cardHeight(windowHeight: number, columns: number): number {
  const plot = Math.min(Math.max(Math.round(windowHeight * 0.176), 146), 240);
  return HEAD_PX + (columns === 1 ? Math.round(plot * 1.6) : plot);
}

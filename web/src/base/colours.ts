/** The palette of runs: 24 design tokens, the second half of them dashed because hue families repeat (see tokens.css). */

export const PALETTE_SIZE = 24;
const DASHED_FROM = 12;

export interface RunStyle {
  /** A design token such as "--run-1", or a colour "#rrggbb". */
  readonly token: string;
  readonly dashed: boolean;
}

export function paletteStyle(place: number): RunStyle {
  const within = ((place % PALETTE_SIZE) + PALETTE_SIZE) % PALETTE_SIZE;
  return { token: `--run-${within + 1}`, dashed: within >= DASHED_FROM };
}

/** As CSS takes it. */
export const cssColour = (token: string): string => (token.startsWith("--") ? `var(${token})` : token);

/** The palette of runs: 24 design tokens, the second half of them dashed because hue families repeat (see tokens.css). */

export const PALETTE_SIZE = 24;
const DASHED_FROM = 12;

export interface RunStyle {
  /** A design token such as "--run-1", or a colour "#rrggbb"; "--run-1 30%" is mixed with so much of the surface. */
  readonly token: string;
  readonly dashed: boolean;
}

export function paletteStyle(place: number): RunStyle {
  const within = ((place % PALETTE_SIZE) + PALETTE_SIZE) % PALETTE_SIZE;
  return { token: `--run-${within + 1}`, dashed: within >= DASHED_FROM };
}

/** As CSS takes it. */
export function cssColour(token: string): string {
  const { name, share } = splitToken(token);
  const plain = name.startsWith("--") ? `var(${name})` : name;
  return share === 0 ? plain : `color-mix(in srgb, ${plain}, var(--surface) ${share}%)`;
}

/** "--run-1 30%": the token, and how much of the surface is mixed in, in percent. */
export function splitToken(token: string): { readonly name: string; readonly share: number } {
  const found = /^(\S+) (\d+)%$/.exec(token);
  return found ? { name: found[1]!, share: Number(found[2]) } : { name: token, share: 0 };
}

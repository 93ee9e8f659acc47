/** How strongly curves are smoothed, as one value: from the address and the slider to the request. */

export interface Smoothing {
  /**
   * fixed: TensorBoard's weight, the share of the average that stays from each point to the next. adaptive: the
   * half-life as a share of the visible x range, so that curves are as smooth at every zoom. 0: as logged.
   */
  readonly weight: number;
  readonly mode: "fixed" | "adaptive";
}

export const AS_LOGGED: Smoothing = { weight: 0, mode: "fixed" };
/** What each mode begins with; the first is the default. */
export const ADAPTIVE: Smoothing = { weight: 0.02, mode: "adaptive" };
export const FIXED: Smoothing = { weight: 0.6, mode: "fixed" };

/** The slider ends where its steps do; more can be typed. */
export const SMOOTHING_LIMITS = {
  fixed: { max: 0.999, sliderMax: 0.99, sliderStep: 0.01, keyStep: 0.05 },
  adaptive: { max: 0.5, sliderMax: 0.1, sliderStep: 0.0025, keyStep: 0.01 },
} as const;

const rounded = (value: number): number => +value.toFixed(4);

export function withWeight({ mode }: Smoothing, weight: number): Smoothing {
  return { mode, weight: rounded(Math.min(Math.max(weight, 0), SMOOTHING_LIMITS[mode].max)) };
}

export const stepped = (smoothing: Smoothing, steps: number): Smoothing =>
  withWeight(smoothing, smoothing.weight + steps * SMOOTHING_LIMITS[smoothing.mode].keyStep);

/** "0.8" is TensorBoard's weight, "2%" a half-life. */
export function readSmoothing(text: string): Smoothing | undefined {
  const [, digits, percent] = /^\s*([^%\s]+)\s*(%?)\s*$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === undefined || Number.isNaN(value)) return undefined;
  return percent ? withWeight(ADAPTIVE, value / 100) : withWeight(FIXED, value);
}

export const writeSmoothing = ({ mode, weight }: Smoothing): string =>
  mode === "adaptive" ? `${rounded(weight * 100)}%` : String(weight);

/** The smoothing of a request, in which the visible range is not always what is requested. */
export interface RequestedSmoothing extends Smoothing {
  /** Of an adaptive one: the width of the visible range in units of the axis; absent where everything is visible. */
  readonly visible?: number;
}

export function smoothingOf(
  smoothing: Smoothing,
  shown: { readonly from: number; readonly to: number } | null,
): RequestedSmoothing {
  // Rounded, so that a range that is only moved is the same request.
  return shown && smoothing.mode === "adaptive" && shown.to > shown.from
    ? { ...smoothing, visible: Number((shown.to - shown.from).toPrecision(6)) }
    : smoothing;
}

/** The weight from each point to the next of a series whose points are `spacing` apart: point_weight() of core/query/smooth.cc. */
export function pointWeight({ weight, mode, visible = 0 }: RequestedSmoothing, spacing: number): number {
  if (mode === "fixed") return weight;
  const halfLife = weight * visible;
  return halfLife > 0 && spacing > 0 ? Math.min(2 ** (-spacing / halfLife), 1 - 1e-9) : 0;
}

/** Close to 1, the digits that tell weights apart come late. */
const weightText = (weight: number): string =>
  weight.toFixed(Math.min(12, 3 + Math.max(0, Math.ceil(-Math.log10(1 - weight)))));

/** What a smoothing does, in words; `weights` are those that the server used, from each point to the next. */
export function smoothingWords(smoothing: Smoothing, weights: readonly number[] = []): string {
  if (smoothing.weight === 0) return "As logged";
  if (smoothing.mode === "fixed") return `TensorBoard's moving average, weight ${smoothing.weight}`;
  const words = `Moving average with a half-life of ${rounded(smoothing.weight * 100)} % of the visible range`;
  if (weights.length === 0) return words;
  const [least, most] = [weightText(Math.min(...weights)), weightText(Math.max(...weights))];
  return `${words}: weight ${least === most ? least : `${least} to ${most}`} from each point to the next`;
}

/** The last profile of a run in a few numbers. */

/** As Profile sends them (dashboards/profile/view/wire.ts). */
export interface ProfileCapture {
  readonly run: string;
  readonly name: string;
  readonly hosts: readonly { readonly host: string; readonly bytes: number }[];
}

export interface ProfileOverview {
  readonly steps: readonly unknown[];
  readonly mean: Readonly<Record<string, number>>;
  readonly headline: { readonly step_mean_ns: number | null };
}

/** The parts of a step in the order and the colours of Profile. */
const PARTS: readonly (readonly [string, string, string])[] = [
  ["device_compute_16", "Device compute, 16-bit", "--run-1"],
  ["device_compute_32", "Device compute, 32-bit", "--run-4"],
  ["collectives", "Collectives, exposed", "--run-7"],
  ["host_device_copies", "Host ↔ device", "--run-6"],
  ["input", "Input", "--run-2"],
  ["host_compute", "Host compute", "--run-11"],
  ["compile", "Compile", "--run-3"],
  ["idle", "Idle", "--line-2"],
  ["other", "Other", "--text-3"],
];

export interface Part {
  readonly name: string;
  readonly label: string;
  readonly colour: string;
  /** Of the mean step. */
  readonly share: number;
}

export function partsOf({ mean, headline }: ProfileOverview): Part[] {
  const whole = headline.step_mean_ns ?? 0;
  if (whole <= 0) return [];
  return PARTS.map(([name, label, token]) => ({
    name,
    label,
    colour: `var(${token})`,
    share: (mean[name] ?? 0) / whole,
  })).filter(({ share }) => share > 0);
}

/** What the head of a run's page says, in words. */

import { formatBytes, formatCount, formatSeconds } from "../../base/format";
import type { RunAnswer, RunRecord } from "../../data/run";
import { isLive } from "../runs/status";

/** What people call the number of steps a run is to make; of epochs nobody knows how many steps they have. */
const TOTALS = new Set([
  "max_steps",
  "total_steps",
  "num_steps",
  "n_steps",
  "train_steps",
  "num_train_steps",
  "max_train_steps",
  "num_training_steps",
  "steps",
  "max_iters",
  "max_iter",
  "num_iterations",
  "total_timesteps",
]);

export function totalSteps(params: Readonly<Record<string, unknown>>): number | null {
  const found = Object.entries(params).flatMap(([key, value]) =>
    TOTALS.has(
      key
        .slice(key.lastIndexOf(".") + 1)
        .toLowerCase()
        .replaceAll("-", "_"),
    ) &&
    typeof value === "number" &&
    value > 0
      ? [value]
      : [],
  );
  // Two that disagree say nothing.
  return found.length > 0 && found.every((value) => value === found[0]) ? found[0]! : null;
}

/** "about 1 h 28 m": as fast as since this process began. "" where nobody said how far it is to go. */
export function leftText(
  {
    status,
    params,
    last_step: step,
    last_wall: last,
    started,
    sessions,
  }: Pick<RunAnswer, "status" | "params" | "last_step" | "last_wall" | "started" | "sessions">,
  nowMs: number,
): string {
  const total = totalSteps(params);
  if (!isLive(status) || total === null || step === null || last === null || step >= total) return "";
  const session = sessions.at(-1);
  const [began, from] = session ? [session.started_at, session.from_step] : [started ?? last, 0];
  if (step <= from || last <= began) return "";
  const seconds = ((last - began) / (step - from)) * (total - step) - Math.max(0, nowMs / 1000 - last);
  return `about ${formatSeconds(Math.max(1, Math.round(seconds)))}`;
}

/** "step 78,620 of 100,000", "exit code 3", "SIGTERM". */
export function statusNote({
  record,
  status,
  last_step: step,
  params,
}: Pick<RunAnswer, "record" | "status" | "last_step" | "params">): string {
  const total = isLive(status) ? totalSteps(params) : null;
  const parts = [
    step === null
      ? ""
      : `step ${formatCount(step)}${total !== null && total >= step ? ` of ${formatCount(total)}` : ""}`,
    status === "crashed" && record?.exit_code ? `exit code ${record.exit_code}` : "",
    status === "killed" ? (record?.signal ?? "") : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

export function formatMoment(seconds: number, nowMs: number): string {
  const date = new Date(seconds * 1000);
  if (!Number.isFinite(date.getTime())) return "unknown";
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  const day = date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
  return `${day}, ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

export function durationText(
  { started, duration, status }: Pick<RunAnswer, "started" | "duration" | "status">,
  nowMs: number,
): string {
  if (started === null) return "";
  const seconds = isLive(status) ? nowMs / 1000 - started : (duration ?? 0);
  return formatSeconds(Math.max(0, Math.round(seconds)));
}

/** As it can be pasted into a shell. */
export function commandText(command: readonly string[]): string {
  return command
    .map((part) => (/^[\w@%+=:,./~-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** A run's name as a file may be called. */
export const fileWord = (run: string): string => run.replace(/[^\w.-]+/g, "_").replace(/^[._]+/, "") || "run";

/** A report of this run alone. Where there are several log directories, its own folder is one. */
export function reportCommand(run: string, folder: string, logdirs: readonly string[]): string {
  const place =
    logdirs.length === 1
      ? ["--logdir", logdirs[0]!, "--query", `name == ${JSON.stringify(run)}`]
      : ["--logdir", folder];
  return commandText(["seamark", "export", "html", ...place, "-o", "report.html"]);
}

export interface Fact {
  readonly key: string;
  readonly value: string;
}

/** What the head of the page and the details of a run say about it. */
export function runFacts(answer: RunAnswer, nowMs: number): Fact[] {
  const { started, record } = answer;
  return [
    { key: "Started", value: started === null ? "" : formatMoment(started, nowMs) },
    { key: "Duration", value: durationText(answer, nowMs) },
    { key: "Left", value: leftText(answer, nowMs) },
    { key: "Host", value: record?.host.name ?? "" },
    { key: "Part of", value: [record?.project, record?.group, record?.job_type].filter(Boolean).join(" · ") },
  ].filter(({ value }) => value !== "");
}

/** The packages that people name when they say what they ran on. */
const FRAMEWORKS: readonly (readonly [string, string])[] = [
  ["torch", "PyTorch"],
  ["tensorflow", "TensorFlow"],
  ["jax", "JAX"],
  ["keras", "Keras"],
  ["lightning", "Lightning"],
  ["transformers", "Transformers"],
  ["numpy", "NumPy"],
];
const MAX_FRAMEWORKS = 3;

export function environmentFacts({ record, events }: Pick<RunAnswer, "record" | "events">): Fact[] {
  const { files, bytes, points } = events;
  return [
    ...(record ? recordFacts(record) : []),
    { key: "Event files", value: `${formatCount(files)} ${files === 1 ? "file" : "files"}, ${formatBytes(bytes)}` },
    { key: "Points", value: formatCount(points) },
  ].filter(({ value }) => value !== "");
}

function recordFacts({ python, packages, gpus, host }: RunRecord): Fact[] {
  const frameworks = FRAMEWORKS.filter(([name]) => Object.hasOwn(packages, name)).slice(0, MAX_FRAMEWORKS);
  return [
    {
      key: "Python",
      value: [python.version, python.implementation === "CPython" ? "" : python.implementation]
        .filter(Boolean)
        .join(", "),
    },
    ...frameworks.map(([name, title]) => ({ key: title, value: packages[name]! })),
    { key: "GPU", value: gpusText(gpus) },
    { key: "GPU driver", value: gpus[0]?.driver ?? "" },
    {
      key: "CPU",
      value: [
        host.cpu,
        host.cpu_count ? `${formatCount(host.cpu_count)} ${host.cpu_count === 1 ? "core" : "cores"}` : "",
      ]
        .filter(Boolean)
        .join(", "),
    },
    { key: "Memory", value: host.memory_bytes ? formatBytes(host.memory_bytes) : "" },
    { key: "OS", value: host.os },
  ];
}

/** "8 × A100, 80 GB": equal ones together. */
export function gpusText(gpus: RunRecord["gpus"]): string {
  const counts = new Map<string, number>();
  for (const { name, memory_bytes: bytes } of gpus) {
    const text = bytes ? `${name}, ${formatBytes(bytes)}` : name;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => (count > 1 ? `${count} × ${text}` : text)).join("; ");
}

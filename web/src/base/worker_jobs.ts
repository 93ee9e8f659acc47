/** The worker's side of a worker pool: call `serveJobs` in the worker's module, and nothing else. */

import { asError } from "./errors";

/** Functions by name: one input that can be cloned, one output or a promise of it. */
export type Jobs<J> = { readonly [N in keyof J]: (input: never) => unknown };

export interface JobRequest {
  readonly name: string;
  readonly input: unknown;
}

export type JobReply = { readonly output: unknown } | { readonly error: Error };

interface Scope {
  onmessage: ((event: MessageEvent<JobRequest>) => void) | null;
  postMessage(reply: JobReply, transfer: Transferable[]): void;
}

/** Answers every request with the output of its job. Typed arrays in the first level of an output are moved, not copied. */
export function serveJobs<J extends Jobs<J>>(jobs: J, scope: Scope = self as unknown as Scope): void {
  scope.onmessage = async ({ data: { name, input } }) => {
    try {
      const output: unknown = await jobs[name as keyof J](input as never);
      scope.postMessage({ output }, buffersOf(output));
    } catch (failure) {
      scope.postMessage({ error: asError(failure) }, []);
    }
  };
}

function buffersOf(output: unknown): Transferable[] {
  const parts = typeof output === "object" && output !== null ? [output, ...Object.values(output)] : [];
  const buffers = parts.filter((part) => ArrayBuffer.isView(part)).map(({ buffer }) => buffer);
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer);
}

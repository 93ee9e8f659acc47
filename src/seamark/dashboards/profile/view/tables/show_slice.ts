/** Opens Trace at a slice. */

interface TraceHost {
  readonly context: { readonly url: { set(name: string, value: string | undefined): void } };
  open(subTab: "trace"): void;
}

export function showSlice(model: TraceHost, slice: number): void {
  model.context.url.set("slice", String(slice));
  model.open("trace");
}

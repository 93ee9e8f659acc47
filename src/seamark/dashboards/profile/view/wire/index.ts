/**
 * What the routes of Profile send: the same types as seamark/profiles/results, form.py and dashboards/profile/wire.py.
 * Times are nanoseconds since the origin of the trace. One module for each page; import from here.
 */

export * from "./captures";
export * from "./compare";
export * from "./compile";
export * from "./distributed";
export * from "./findings";
export * from "./input_pipeline";
export * from "./kernels";
export * from "./memory";
export * from "./operators";
export * from "./overview";
export * from "./roofline";
export * from "./trace_page";
export * from "./trees";

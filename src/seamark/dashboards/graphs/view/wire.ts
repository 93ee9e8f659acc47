/**
 * What the routes of Graphs take and send, with the names that the view has for it. Lists of boxes and edges are
 * columns: entry i of each belongs to box i.
 */

import type * as Wire from "./wire_types";

export type * from "./wire_types";
/** Names one graph: of a run, or an uploaded file (then `run` is ""). */
export type GraphRef = Wire.RefBody;
/** Of boxes that are visible with some groups open. A parent comes before its children; the index of none is -1. */
export type Boxes = Wire.BoxColumns;
/** `op`: a node; `group`: a namespace; `series`: equal groups or nodes in a row, as a stack. */
export type BoxType = Boxes["type"][number];
/** Edges between boxes that are not open. */
export type BoxEdges = Wire.EdgeColumns;
/** Nodes that are hidden by default because they are noise. */
export type FoldKind = Wire.FoldEntry;
/**
 * `open`: ids of open groups; those inside a closed group have no effect. An id with "**" at its end opens all groups
 * below, too. null: the server chooses a first view. `unstacked`: ids of groups whose series are shown one by one, and
 * of members of series that are shown alone. `isolated`: only these boxes and what is in them; [] is all.
 */
export type ViewRequest = Required<Wire.ViewBody>;
export type VisibleGraph = Wire.ViewResponse;
/** A layer with something wrong. */
export type LayerFinding = Wire.FindingEntry;
export type Overlay = Wire.OverlayResponse;
export type OverlayRequest = Required<Wire.OverlayBody>;
export type Link = Wire.LinkEntry;
export type BoxDetails = Wire.DetailsResponse;
export type Layers = Wire.LayersResponse;
export type GraphTotals = Wire.CompareTotals;
/** `old` is the baseline, `new` the graph that is compared with it. */
export type Comparison = Wire.CompareResponse;
export type ChangeState = Wire.ChangeEntry["state"];

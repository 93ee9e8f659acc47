"""What the routes of Graphs take and send."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from seamark.dashboards.graphs.graph_ref import GraphRef
from seamark.format.types import RunName, Tag
from seamark.graphs.levels.options import BoxType, ViewOptions
from seamark.plugin import RequestStruct, ResponseStruct
from seamark.plugin.parameters import RunParameter

GraphName = Annotated[
    str, Meta(description="`run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs.")
]
BoxId = Annotated[str, Meta(description="The id of a node, a group (`gpt/h/5/`) or a series (`gpt/h/*h.0..h.4/`).")]
MAX_IDS = 100_000
Ids = Annotated[list[str], Meta(max_length=MAX_IDS)]


class GraphParameters(RequestStruct):
    run: RunParameter
    graph: GraphName

    @property
    def ref(self) -> GraphRef:
        return GraphRef(self.run, self.graph)


class RefBody(RequestStruct):
    run: RunParameter
    graph: GraphName


class ViewBody(RequestStruct):
    """`open` null: the server chooses a first view. `baseline`: the graph that this one is compared with."""

    run: RunParameter
    graph: GraphName
    open: Ids | None = None
    unstacked: Ids = field(default_factory=list)
    unfolded: Ids = field(default_factory=list)
    isolated: Ids = field(default_factory=list)
    baseline: RefBody | None = None

    @property
    def ref(self) -> GraphRef:
        return GraphRef(self.run, self.graph)

    @property
    def baseline_ref(self) -> GraphRef | None:
        return None if self.baseline is None else GraphRef(self.baseline.run, self.baseline.graph)

    @property
    def options(self) -> ViewOptions:
        return ViewOptions(
            open=None if self.open is None else frozenset(self.open),
            unstacked=frozenset(self.unstacked),
            unfolded=frozenset(self.unfolded),
            isolated=frozenset(self.isolated),
        )


class ProfileEntry(ResponseStruct):
    tag: Tag
    step: int


class GraphEntry(ResponseStruct):
    run: RunName
    graph: str
    title: str
    version: str  # another one when it was logged again
    profiles: list[ProfileEntry]


class GraphsResponse(ResponseStruct):
    graphs: list[GraphEntry]
    more: bool


class BoxColumns(ResponseStruct):
    id: list[str]
    label: list[str]
    type: list[BoxType]
    op: list[str]  # the operation of a node, the class of a group
    parent: list[int]  # the index of the open group around it; -1 at the top. Parents come before their children
    is_open: list[bool]
    count: list[int]  # nodes inside; 1 for a node
    repeat: list[int]  # members of a series; 1 otherwise
    structure: list[int]  # equal for boxes with equal structure; 0 if nothing else has it
    parameters: list[float | None]  # None: not known
    has_unknown_parameters: list[bool]  # there are more
    is_aside: list[bool]  # very many edges touch it: drawn at the side, its edges only when it is selected


class EdgeColumns(ResponseStruct):
    source: list[int]
    target: list[int]
    count: list[int]  # edges of the graph in this one
    shape: list[str]  # "8×1024×768", or "" if they differ or are not known
    bytes: list[float]  # -1 if not known
    is_control: list[bool]


class FoldEntry(ResponseStruct):
    name: str
    title: str
    count: int
    is_folded: bool


class ViewResponse(ResponseStruct):
    title: str
    format: str
    nodes: int
    edge_count: int
    parameters: int | None
    has_unknown_parameters: bool
    boxes: BoxColumns
    edges: EdgeColumns
    folds: list[FoldEntry]
    problems: list[str]
    open: list[str]


class OverlayBody(ViewBody):
    colour: str = "structure"
    # The run metadata for time and memory; the step for health. "" and None: the last.
    profile: Tag = Tag("")
    step: int | None = None


class FindingEntry(ResponseStruct):
    """A layer with something wrong."""

    id: str
    label: str
    word: str
    sentence: str
    groups: list[str]  # ids of the groups around it


class OverlayResponse(ResponseStruct):
    """By box: `values` for an overlay of numbers, `names` for one of names. `reason`: why there is nothing."""

    values: list[float | None] | None = None
    names: list[str] | None = None
    texts: list[str] | None = None  # by box: a sentence about it
    unit: str = ""
    steps: list[int] = field(default_factory=list)
    # Of all layers, open or not: the one where NaN began first, then the worst.
    findings: list[FindingEntry] = field(default_factory=list)
    reason: str = ""


class TraceBody(ViewBody):
    id: str = ""
    direction: Literal["inputs", "outputs"] = "inputs"
    hops: Annotated[int, Meta(ge=1, le=1000)] = 6


class TraceResponse(ResponseStruct):
    hops: dict[str, int]  # box → distance


class PathBody(ViewBody):
    start: str = ""
    end: str = ""


class PathResponse(ResponseStruct):
    boxes: list[str]  # visible ones, in order
    nodes: list[str]


class SearchParameters(GraphParameters):
    text: Annotated[str, Meta(max_length=500)]
    limit: Annotated[int, Meta(ge=1, le=1000)] = 200


class SearchResult(ResponseStruct):
    id: str
    label: str
    above: str  # the groups around it
    op: str
    shape: str
    groups: list[str]  # ids of the groups to open to see it


class SearchResponse(ResponseStruct):
    total: int
    results: list[SearchResult]


class DetailsParameters(GraphParameters):
    id: BoxId
    profile: Tag = Tag("")  # the run metadata with its time and memory
    baseline_run: RunName | None = None
    baseline_graph: str | None = None

    @property
    def baseline_ref(self) -> GraphRef | None:
        if self.baseline_run is None or self.baseline_graph is None:
            return None
        return GraphRef(self.baseline_run, self.baseline_graph)


class AttributeParameters(GraphParameters):
    id: BoxId
    name: str


class LinkEntry(ResponseStruct):
    id: str
    label: str
    shape: str
    dtype: str
    is_control: bool
    count: int
    groups: list[str]


class AttributeEntry(ResponseStruct):
    name: str
    value: str
    bytes: int | None = None  # of a value that is cut or not stored


class WeightEntry(ResponseStruct):
    id: str
    label: str
    shape: str
    dtype: str
    count: int | None
    is_trainable: bool
    histogram: str | None  # a logged histogram with its name


class TagEntry(ResponseStruct):
    kind: str
    tag: str


class DetailsResponse(ResponseStruct):
    id: str
    label: str
    type: BoxType
    op: str
    layer: str
    device: str
    source: str
    code: str
    nodes: int
    inputs: list[LinkEntry]
    input_count: int
    outputs: list[LinkEntry]
    output_count: int
    output_shapes: list[str]
    attributes: list[AttributeEntry]
    weights: list[WeightEntry]
    parameters: int | None
    has_unknown_parameters: bool
    trainable_parameters: int
    multiply_adds: float | None
    has_unknown_multiply_adds: bool
    output_bytes: float | None
    has_unknown_bytes: bool
    time: float | None  # in microseconds, from run metadata
    memory: float | None
    ops: list[tuple[str, int]]
    tags: list[TagEntry]
    groups: list[str]
    finding: str  # what is wrong with it, from what was logged under its name


class LayersParameters(GraphParameters):
    profile: Annotated[Tag, Meta(description="The tag of the run metadata that has the times. Default: no times.")] = (
        Tag("")
    )


class ColoursParameters(GraphParameters):
    profile: Annotated[Tag, Meta(description="The tag of the run metadata for time and memory. Default: none.")] = Tag(
        ""
    )


class ColoursResponse(ResponseStruct):
    reasons: dict[str, str]  # colour → why boxes cannot be coloured by it


class LayerTotals(ResponseStruct):
    parameters: float | None
    trainable: float
    has_unknown_parameters: bool
    multiply_adds: float | None
    bytes: float | None
    time: float | None
    is_per_example: bool  # the size of the batch is not known: multiply-adds and bytes are those of one example
    is_partial: bool  # operations with multiply-adds have unknown shapes: there are more


class LayersResponse(ResponseStruct):
    """Columns, and the totals of the model. `time` is in microseconds."""

    id: list[str]
    name: list[str]
    op: list[str]
    shape: list[str]
    parameters: list[float | None]
    trainable: list[float]
    multiply_adds: list[float | None]
    bytes: list[float | None]
    time: list[float | None]
    has_unknown_parameters: list[bool]
    has_unknown_multiply_adds: list[bool]
    has_unknown_bytes: list[bool]
    depth: list[int]
    first_equal: list[int]  # the first layer of equal content, shape and name but for numbers
    totals: LayerTotals


class UploadParameters(RequestStruct):
    name: Annotated[str, Meta(max_length=500, description="The name of the file; its ending names the format.")]


class UploadResponse(ResponseStruct):
    run: RunName
    graph: str


class CompareParameters(GraphParameters):
    baseline_run: RunParameter
    baseline_graph: GraphName

    @property
    def baseline_ref(self) -> GraphRef:
        return GraphRef(self.baseline_run, self.baseline_graph)


class ChangeEntry(ResponseStruct):
    id: str
    label: str
    state: Literal["added", "removed", "changed"]
    op: str
    what: str
    groups: list[str]


class CompareTotals(ResponseStruct):
    nodes: int
    parameters: int | None
    has_unknown_parameters: bool


class CompareResponse(ResponseStruct):
    added: int
    removed: int
    changed: int
    same: int
    old: CompareTotals
    new: CompareTotals
    changes: list[ChangeEntry]  # the first ones
    has_more: bool  # than these

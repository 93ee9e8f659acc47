"""What the routes of the Projector take and send."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from seamark.embeddings.form import ColumnType
from seamark.embeddings.neighbours import Metric
from seamark.format.types import RunName
from seamark.plugin import RequestStruct, ResponseStruct
from seamark.plugin.parameters import RunParameter

EmbeddingName = Annotated[
    str, Meta(description="`config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings.")
]
Row = Annotated[int, Meta(ge=0)]
Rows = Annotated[list[Row], Meta(max_length=10_000_000)]
Method = Literal["pca", "tsne", "umap", "axes", "raw", "random"]
JobState = Literal["running", "paused", "done", "failed"]
MetricParameter = Annotated[Metric, Meta(description="How distances are measured.")]


# Which embeddings there are


class StepEntry(ResponseStruct):
    step: int
    name: str  # of the embedding at this step


class EmbeddingEntry(ResponseStruct):
    """One embedding, or all steps of one; `name` is that of the last step."""

    run: RunName
    name: str
    title: str
    steps: list[StepEntry]


class ListingProblem(ResponseStruct):
    """Why a config or file of a run has no embedding in the list."""

    run: RunName
    path: str  # in the folder of the run
    message: str


class EmbeddingsResponse(ResponseStruct):
    embeddings: list[EmbeddingEntry]
    more: bool
    problems: list[ListingProblem]


class EmbeddingParameters(RequestStruct):
    run: RunParameter
    name: EmbeddingName


class ColumnEntry(ResponseStruct):
    name: str
    type: ColumnType
    distinct: int  # names that it has; 0 for numbers
    has_numbers: bool  # also of a category of whole numbers, which queries compare with numbers


class ThumbnailsEntry(ResponseStruct):
    width: int
    height: int
    columns: int


class InfoResponse(ResponseStruct):
    rows: int
    dimensions: int
    dtype: str
    content_id: str
    left_out: int  # rows with NaN or infinite numbers
    columns: list[ColumnEntry]
    thumbnails: ThumbnailsEntry | None
    has_bookmarks: bool
    problems: list[str]


# Projections


class AxisEnd(RequestStruct):
    """The mean of the rows that match a text in a column, as in TensorBoard's custom projections."""

    text: str
    column: str = ""  # "": any
    is_regex: bool = False


class Axis(RequestStruct):
    start: AxisEnd
    end: AxisEnd


class MethodBody(RequestStruct):
    """A method and its parameters; those of other methods are ignored. 0 means automatic."""

    method: Method = "pca"
    dims: Literal[2, 3] = 2
    # PCA: the components to show; raw: the dimensions. Empty: the first ones.
    components: list[Annotated[int, Meta(ge=0)]] = field(default_factory=list)
    axes: Annotated[list[Axis], Meta(max_length=3)] = field(default_factory=list)
    perplexity: Annotated[float, Meta(ge=2, le=500)] = 30.0
    learning_rate: Annotated[float, Meta(ge=0)] = 0.0
    neighbours: Annotated[int, Meta(ge=2, le=200)] = 15
    min_distance: Annotated[float, Meta(ge=0, le=1)] = 0.1
    metric: Metric = "euclidean"
    epochs: Annotated[int, Meta(ge=0, le=10_000)] = 0
    supervise: Annotated[float, Meta(ge=0, le=1)] = 0.0
    supervise_by: str = ""  # a column
    seed: Annotated[int, Meta(ge=0)] = 42
    max_rows: Annotated[int, Meta(ge=2, le=200_000)] = (
        50_000  # t-SNE and UMAP take a random sample of a larger embedding
    )
    query: str = ""  # only rows that match


class ProjectionBody(RequestStruct):
    run: RunParameter
    name: EmbeddingName
    method: MethodBody = field(default_factory=MethodBody)
    normalize: bool = False
    center: bool = True
    sphereize: bool = False
    # The embedding of the same run to align with: it defines the axes or the positions to begin with.
    align_to: str = ""
    # Only a random sample of so many rows, for a first picture; 0: all.
    sample: Annotated[int, Meta(ge=0)] = 0
    # The key of a picture of the same rows: t-SNE and UMAP begin with its positions.
    start: str = ""
    # Of a running method: waits until there is a later epoch than this, at most a second.
    after: int = -1


class JobBody(RequestStruct):
    """`key` is that of a projection."""

    key: str
    action: Literal["pause", "resume", "restart"]


class JobResponse(ResponseStruct):
    state: JobState


# Rows and columns


class ColumnParameters(EmbeddingParameters):
    column: str


class RowsBody(EmbeddingParameters):
    rows: Annotated[list[Row], Meta(max_length=20_000)]
    columns: list[str] | None = None  # None: all


class RowsResponse(ResponseStruct):
    columns: list[str]
    values: list[list[str]]  # for each row, in the order of the request


class SearchParameters(EmbeddingParameters):
    text: str
    column: str = ""  # "": any
    is_regex: bool = False


class FilterParameters(EmbeddingParameters):
    query: str


class ExportBody(EmbeddingParameters):
    format: Literal["csv", "parquet", "npy"]
    rows: Rows | None = None  # None: all
    picture: ProjectionBody | None = None  # CSV and Parquet have the positions in it, too


# Neighbours, quality, clusters


class NeighboursBody(ProjectionBody):
    """The projection is needed for the ranks in the picture."""

    row: Annotated[int, Meta(ge=0)] = 0
    count: Annotated[int, Meta(ge=1, le=1000)] = 10
    distance: MetricParameter = "cosine"


class DistancesBody(ProjectionBody):
    row: Annotated[int, Meta(ge=0)] = 0
    distance: MetricParameter = "cosine"


class NeighboursResponse(ResponseStruct):
    rows: list[int]
    distances: list[float]
    labels: list[str]
    picture_ranks: list[int]  # the rank of each among the neighbours in the picture, from 1; 0 if it is not in it
    kept: int  # how many are among as many neighbours in the picture
    compared: int  # rows
    secs: float
    histogram_counts: list[int]  # of the distances to all rows
    histogram_edges: list[float]


class QualityBody(ProjectionBody):
    count: Annotated[int, Meta(ge=1, le=100)] = 10
    distance: MetricParameter = "euclidean"


class ClustersBody(ProjectionBody):
    """`by`: `column:NAME`, `kmeans` or `density`; the last two take the vectors, or the picture."""

    by: str = "kmeans"
    clusters: Annotated[int, Meta(ge=0, le=200)] = 0  # of k-means; 0: automatic
    space: Literal["vectors", "picture"] = "vectors"
    label_by: str = ""  # the column that names clusters; "": the one that fits best


class ClusterEntry(ResponseStruct):
    name: str
    points: int
    share: float  # of the points that have the name in the metadata
    trust: float | None = None  # the trustworthiness of the picture of its points


class FindingsBody(ProjectionBody):
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 200


class OutliersResponse(ResponseStruct):
    rows: list[int]
    scores: list[float]
    method: str


class DuplicatesResponse(ResponseStruct):
    groups: list[list[int]]
    rows: int  # in all groups


# Along training, and two embeddings


class MovementBody(EmbeddingParameters):
    """How far points move from step to step of one embedding; `names` in order."""

    names: Annotated[list[str], Meta(min_length=2, max_length=1000)] = field(default_factory=list)
    normalize: bool = False
    center: bool = True
    sphereize: bool = False


class SharedBody(RequestStruct):
    run: RunParameter
    name: EmbeddingName
    other_run: RunParameter
    other_name: EmbeddingName
    count: Annotated[int, Meta(ge=1, le=100)] = 10
    distance: MetricParameter = "cosine"


class UploadParameters(RequestStruct):
    name: Annotated[str, Meta(description="The file's name; its ending says what it is.", max_length=255)]
    metadata_of: str = ""  # the upload that this file has the metadata of


class UploadResponse(ResponseStruct):
    run: RunName
    name: str

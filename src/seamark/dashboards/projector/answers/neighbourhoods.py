"""Neighbours, quality of pictures, clusters, outliers and duplicates."""

from __future__ import annotations

from time import perf_counter

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.answers.errors import embedding_errors
from seamark.dashboards.projector.answers.rows import column_of
from seamark.dashboards.projector.projector import Projector
from seamark.embeddings.clusters.density import density_clusters
from seamark.embeddings.clusters.grouping import NO_CLUSTER, Grouping
from seamark.embeddings.clusters.kmeans import kmeans_clusters
from seamark.embeddings.clusters.naming import NamedCluster, column_clusters, name_clusters
from seamark.embeddings.duplicates import find_duplicates
from seamark.embeddings.form import Embedding, RowColumn, Vectors
from seamark.embeddings.methods.projected import Projected
from seamark.embeddings.neighbours import nearest, row_distances
from seamark.embeddings.outliers import Outliers, find_outliers
from seamark.embeddings.prepare import AS_LOGGED, Prepared
from seamark.embeddings.quality import Quality, picture_distances, picture_quality, ranks
from seamark.embeddings.shared import Shared, shared_neighbours
from seamark.plugin import RequestError, not_found
from seamark.plugin.columns import encode_columns
from seamark.plugin.recently_used import RecentlyUsed

# The sampled quality of larger pictures has too few points in each cluster.
MAX_TRUST_ROWS = 20_000
MAX_DUPLICATES = 100_000  # rows in the response
COLUMN = "column:"

# By content: equal vectors and parameters have equal results, in any run.
_qualities: RecentlyUsed[Quality] = RecentlyUsed(16)
_groupings: RecentlyUsed[Grouping] = RecentlyUsed(16)
_outliers: RecentlyUsed[Outliers] = RecentlyUsed(16)
_duplicates: RecentlyUsed[list[RowColumn]] = RecentlyUsed(16)
_shared: RecentlyUsed[Shared] = RecentlyUsed(16)


def neighbours(projector: Projector, body: wire.NeighboursBody) -> wire.NeighboursResponse:
    embedding, prepared, started = projector.open(body), projector.prepared(body), perf_counter()
    if body.row >= embedding.vectors.rows:
        raise not_found(f"there is no row {body.row}: the embedding has 0 to {embedding.vectors.rows - 1}")
    with embedding_errors():
        found = nearest(prepared, body.row, body.count, body.distance)
    secs = perf_counter() - started
    picture_ranks = _picture_ranks(projector.projected(body), body.row, found.rows)
    return wire.NeighboursResponse(
        rows=found.rows.tolist(),
        distances=found.distances.tolist(),
        labels=[label(embedding, row) for row in found.rows.tolist()],
        picture_ranks=picture_ranks.tolist(),
        kept=int(np.count_nonzero((picture_ranks > 0) & (picture_ranks <= len(found.rows)))),
        compared=found.compared,
        secs=secs,
        histogram_counts=found.histogram_counts.tolist(),
        histogram_edges=found.histogram_edges.tolist(),
    )


def distances(projector: Projector, body: wire.DistancesBody) -> bytes:
    """From a row to every row, as the column `distances`; infinite for rows that are not finite."""
    with embedding_errors():
        return encode_columns({}, {"distances": row_distances(projector.prepared(body), body.row, body.distance)})


def label(embedding: Embedding, row: int) -> str:
    """The text of the first column, as the page labels points unless one chooses a column."""
    columns = embedding.metadata.columns
    return (columns[0].text(row) if columns else "") or f"row {row}"


def quality(projector: Projector, body: wire.QualityBody) -> bytes:
    with embedding_errors():
        found = _quality(projector, body, body)
    header = {
        "trustworthiness": found.trustworthiness,
        "continuity": found.continuity,
        "count": found.count,
        "sampled": found.sampled,
    }
    return encode_columns(header, {"kept": found.kept, "trust": found.trust})


def clusters(projector: Projector, body: wire.ClustersBody) -> bytes:
    embedding = projector.open(body)
    if body.by.startswith(COLUMN):
        grouping, named = column_clusters(column_of(embedding, body.by.removeprefix(COLUMN)))
    else:
        if body.label_by:
            column_of(embedding, body.label_by)
        with embedding_errors():
            grouping = _grouping(projector, body)
        named = name_clusters(grouping.codes, embedding.metadata, body.label_by)
    entries = _entries(named, grouping, _trust(projector, body))
    header = {"clusters": [msgspec.to_builtins(entry) for entry in entries], "method": grouping.method}
    return encode_columns(header, {"codes": grouping.codes})


def outliers(projector: Projector, body: wire.FindingsBody) -> wire.OutliersResponse:
    prepared = projector.prepared(body)
    key = (prepared.vectors.content_id, prepared.preparation, body.limit)
    with embedding_errors():
        found = _outliers.get(key, lambda: find_outliers(prepared, body.limit))
    return wire.OutliersResponse(found.rows.tolist(), found.scores.tolist(), found.method)


def duplicates(projector: Projector, body: wire.FindingsBody) -> wire.DuplicatesResponse:
    """The largest groups."""
    vectors = projector.open(body).vectors
    groups = _duplicates.get(vectors.content_id, lambda: find_duplicates(vectors))
    shown, left = list[list[int]](), MAX_DUPLICATES
    for group in groups[: body.limit]:
        shown.append(group[: max(2, left)].tolist())
        left -= len(group)
    return wire.DuplicatesResponse(shown, sum(len(group) for group in groups))


def shared(projector: Projector, body: wire.SharedBody) -> bytes:
    bodies = [
        wire.ProjectionBody(run=run, name=name, center=False)
        for run, name in ((body.run, body.name), (body.other_run, body.other_name))
    ]
    first, second = (projector.prepared(one) for one in bodies)
    key = (first.vectors.content_id, second.vectors.content_id, body.count, body.distance)
    with embedding_errors():
        found = _shared.get(key, lambda: shared_neighbours(first, second, count=body.count, metric=body.distance))
    header = {"mean": found.mean, "count": found.count, "sampled": found.sampled}
    return encode_columns(header, {"shared": found.shared})


def _picture_ranks(projected: Projected, row: int, neighbours: RowColumn) -> NDArray[np.int64]:
    """The rank of each neighbour of the row in the picture, from 1; 0 for all that are not in it."""
    found = np.zeros(len(neighbours), np.int64)
    places, is_placed = _places(projected, np.append(neighbours, row))
    if not is_placed[-1] or not is_placed[:-1].any():
        return found
    away = picture_distances(projected.positions)(places[-1:])
    away[0, places[-1]] = np.inf
    found[is_placed[:-1]] = ranks(away, places[None, :-1][:, is_placed[:-1]])[0]
    return found


def _places(projected: Projected, rows: RowColumn) -> tuple[RowColumn, NDArray[np.bool_]]:
    """The positions of rows among those of the picture, and whether they have one."""
    if projected.rows is None:
        places, inside = rows, rows < len(projected.positions)
    else:
        places = np.minimum(np.searchsorted(projected.rows, rows), max(0, len(projected.rows) - 1))
        inside = projected.rows[places] == rows if len(projected.rows) else np.zeros(len(rows), np.bool_)
    placed = np.zeros(len(rows), np.bool_)
    placed[inside] = np.isfinite(projected.positions[places[inside]]).all(axis=1)
    return places, placed


def _quality(projector: Projector, body: wire.ProjectionBody, options: wire.QualityBody) -> Quality:
    prepared, projected = projector.prepared(body), projector.projected(body)
    return _qualities.get(
        (projected.key, projected.epoch, options.count, options.distance),
        lambda: picture_quality(
            prepared, projected.positions, projected.rows, count=options.count, metric=options.distance
        ),
    )


def _trust(projector: Projector, body: wire.ClustersBody) -> NDArray[np.float32] | None:
    """By row: how far its neighbours in the picture can be trusted; None for large pictures."""
    if len(projector.projected(body).positions) > MAX_TRUST_ROWS:
        return None
    with embedding_errors():
        return _quality(projector, body, wire.QualityBody(run=body.run, name=body.name)).trust


def _grouping(projector: Projector, body: wire.ClustersBody) -> Grouping:
    if body.by not in ("kmeans", "density"):
        raise RequestError(f"unknown clusters: got '{body.by}', want kmeans, density or {COLUMN}NAME")
    prepared, projected = projector.prepared(body), projector.projected(body)
    of_picture = (projected.key, projected.epoch)
    of_vectors = (prepared.vectors.content_id, prepared.preparation)
    return _groupings.get(
        (body.by, body.clusters, of_picture if body.space == "picture" else of_vectors),
        lambda: _find(body, _picture_space(projected, prepared) if body.space == "picture" else prepared),
    )


def _find(body: wire.ClustersBody, space: Prepared) -> Grouping:
    return density_clusters(space) if body.by == "density" else kmeans_clusters(space, body.clusters)


def _picture_space(projected: Projected, prepared: Prepared) -> Prepared:
    """The positions as vectors, one for each row of the embedding."""
    values = projected.by_row(prepared.vectors.rows)
    finite = np.flatnonzero(np.isfinite(values).all(axis=1))
    return Prepared(Vectors(values, "float32", None if len(finite) == len(values) else finite, ""), AS_LOGGED)


def _entries(
    named: list[NamedCluster], grouping: Grouping, trust: NDArray[np.float32] | None
) -> list[wire.ClusterEntry]:
    if trust is None:
        return [wire.ClusterEntry(*one) for one in named]
    known = (grouping.codes != NO_CLUSTER) & np.isfinite(trust)
    counts = np.bincount(grouping.codes[known], minlength=len(named))
    sums = np.bincount(grouping.codes[known], trust[known], minlength=len(named))
    return [
        wire.ClusterEntry(*one, trust=float(total / count) if count else None)
        for one, total, count in zip(named, sums, counts, strict=True)
    ]

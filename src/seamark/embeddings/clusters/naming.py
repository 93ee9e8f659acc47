"""Names of clusters: the metadata that is most typical of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.clusters.grouping import NO_CLUSTER, Grouping, sorted_by_size
from seamark.embeddings.form import MISSING, Metadata, MetadataColumn

Codes = NDArray[np.int32]

MAX_NUMBERS = 50  # a column of more different numbers is grouped into ranges
RANGES = 8
MAX_CLUSTERS = 200
# A column with more names than this share of the rows names points, not groups of them.
MAX_NAMES_SHARE = 0.5


class NamedCluster(NamedTuple):
    name: str
    points: int
    share: float  # of the points that have the name in the metadata


def name_clusters(codes: Codes, metadata: Metadata, label_by: str = "") -> list[NamedCluster]:
    """One for each cluster. `label_by`: a column; "": the one that tells most about the clusters."""
    count = int(codes.max(initial=NO_CLUSTER)) + 1
    sizes = np.bincount(codes[codes != NO_CLUSTER], minlength=count)
    columns = [metadata.by_name[label_by]] if label_by in metadata.by_name else metadata.columns
    coded = [found for column in columns if (found := codes_of(column)) is not None and is_grouping(found, codes)]
    if not coded:
        return [NamedCluster(f"cluster {number + 1}", int(size), 1.0) for number, size in enumerate(sizes)]
    values, names = max(coded, key=lambda one: information(codes, one[0]))
    typical, shares = typical_values(codes, values, count, len(names))
    titles = unique_names(names[value] if value != MISSING else "no label" for value in typical)
    return [NamedCluster(*one) for one in zip(titles, sizes.tolist(), shares, strict=True)]


def column_clusters(column: MetadataColumn) -> tuple[Grouping, list[NamedCluster]]:
    """A cluster for each value of a column, the largest first."""
    found = codes_of(column)
    codes, names = found if found is not None else (np.zeros(0, np.int32), [])
    by_size = sorted_by_size(codes)
    by_size[by_size >= MAX_CLUSTERS] = NO_CLUSTER
    count = int(by_size.max(initial=NO_CLUSTER)) + 1
    first_rows = [int(np.argmax(by_size == number)) for number in range(count)]
    sizes = np.bincount(by_size[by_size != NO_CLUSTER], minlength=count).tolist()
    titles = unique_names(names[codes[row]] for row in first_rows)
    method = f"Values of the column '{column.name}'."
    if len(names) > MAX_CLUSTERS:
        method = f"The {MAX_CLUSTERS} most frequent of {len(names):,} values of the column '{column.name}'."
    return Grouping(by_size, method), [NamedCluster(*one, 1.0) for one in zip(titles, sizes, strict=True)]


def codes_of(column: MetadataColumn) -> tuple[Codes, Sequence[str]] | None:
    """A code for each row and what the codes mean; numbers are names if they are few, or else ranges."""
    if column.codes is not None:
        return column.codes, column.names
    if column.numbers is None:
        return None
    numbers, codes = column.numbers, np.full(len(column.numbers), MISSING, np.int32)
    known = np.isfinite(numbers)
    values, positions = np.unique(numbers[known], return_inverse=True)
    if len(values) <= MAX_NUMBERS:
        codes[known] = positions
        return codes, [f"{value:.9g}" for value in values]
    edges = np.unique(np.quantile(numbers[known], np.linspace(0, 1, RANGES + 1)))
    codes[known] = np.clip(np.searchsorted(edges, numbers[known], "right") - 1, 0, len(edges) - 2)
    return codes, [f"{low:.4g} to {high:.4g}" for low, high in pairwise(edges)]


def is_grouping(coded: tuple[Codes, Sequence[str]], codes: Codes) -> bool:
    return 1 <= len(coded[1]) <= max(2, MAX_NAMES_SHARE * len(codes))


def typical_values(codes: Codes, values: Codes, clusters: int, names: int) -> tuple[list[int], list[float]]:
    """For each cluster the value with the highest share × log(lift), and its share; MISSING if no row has a value."""
    typical, shares = list[int](), list[float]()
    known = values != MISSING
    overall = np.bincount(values[known], minlength=names) / max(1, len(values))
    order = np.argsort(codes, kind="stable")
    bounds = np.searchsorted(codes[order], np.arange(clusters + 1))
    for start, end in pairwise(bounds.tolist()):
        inside = values[order[start:end]]
        share = np.bincount(inside[inside != MISSING], minlength=names) / max(1, len(inside))
        present = share > 0
        if not present.any():
            typical.append(MISSING)
            shares.append(0.0)
            continue
        scores = np.full(names, -np.inf)
        scores[present] = share[present] * np.log(share[present] / overall[present])
        # A value that all rows have tells nothing; the most frequent one is still a name.
        best = int(scores.argmax()) if scores.max() > 1e-9 else int(share.argmax())
        typical.append(best)
        shares.append(float(share[best]))
    return typical, shares


def information(codes: Codes, values: Codes) -> float:
    """The normalized mutual information of clusters and values: 0 to 1."""
    known = (codes != NO_CLUSTER) & (values != MISSING)
    if not known.any():
        return 0.0
    width = int(values[known].max()) + 1
    pairs, together = np.unique(codes[known].astype(np.int64) * width + values[known], return_counts=True)
    joint = together / together.sum()
    first, second = np.bincount(pairs // width, joint), np.bincount(pairs % width, joint)
    mutual = float((joint * np.log(joint / (first[pairs // width] * second[pairs % width]))).sum())
    entropies = [float(-(part[part > 0] * np.log(part[part > 0])).sum()) for part in (first, second)]
    return mutual / max(1e-12, sum(entropies) / 2)


def unique_names(names: Iterable[str]) -> list[str]:
    """ "trees", "trees (2)" for the second one of the name: a class 1 has no "1 2"."""
    found = list[str]()
    for name in names:
        number, title = 1, name
        while title in found:
            number += 1
            title = f"{name} ({number})"
        found.append(title)
    return found

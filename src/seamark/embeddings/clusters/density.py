"""Density clusters, after HDBSCAN (Campello and others, 2013), on the graph of nearest neighbours.

Rows are joined in the order of their mutual reachability distance: the largest of their distance and of the distances
from which each of them has enough neighbours. Of the tree of joined rows, those branches become clusters that last
longest; the rest is noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.clusters.grouping import NO_CLUSTER, Grouping, codes_by_row, nearest_of_all, sorted_by_size
from seamark.embeddings.form import FloatMatrix
from seamark.embeddings.neighbours import neighbour_table
from seamark.embeddings.prepare import Prepared

# A random sample of larger embeddings is clustered; the others go where the nearest of some of its points is.
MAX_CLUSTERED_ROWS = 10_000
REFERENCES = 1_000
GRAPH_NEIGHBOURS = 15
CORE_NEIGHBOURS = 5
MIN_CLUSTER_ROWS = 5
BRIDGE_ROWS = 512


class JoinTree(NamedTuple):
    """Nodes from 0 are rows; node rows + i is the i-th join."""

    children: NDArray[np.int64]  # [joins, 2]
    density: NDArray[np.float64]  # of each join: 1 / distance
    sizes: NDArray[np.int64]  # rows below each node


def density_clusters(prepared: Prepared, seed: int = 42) -> Grouping:
    rows, rng = prepared.vectors.finite_rows, np.random.default_rng(seed)
    is_sampled = len(rows) > MAX_CLUSTERED_ROWS
    sample = np.sort(rng.choice(rows, MAX_CLUSTERED_ROWS, replace=False)) if is_sampled else rows
    smallest = max(MIN_CLUSTER_ROWS, round(len(sample) ** 0.5 / 2))
    codes = cluster(prepared.take(sample), smallest)
    method = f"Density (HDBSCAN on {GRAPH_NEIGHBOURS} neighbours, clusters of at least {smallest} points)"
    if is_sampled:
        references = np.sort(rng.choice(len(sample), min(REFERENCES, len(sample)), replace=False))
        nearest = nearest_of_all(prepared, prepared.take(sample[references]))
        codes = codes[references][nearest]
        method += f" of {len(sample):,} random points; others go with the nearest of {len(references):,} (seed {seed})"
    return Grouping(codes_by_row(prepared, sorted_by_size(codes)), f"{method}.")


def cluster(matrix: FloatMatrix, smallest: int) -> NDArray[np.int32]:
    """The cluster of each row; NO_CLUSTER for noise. All rows are one cluster if no branches stand out."""
    if len(matrix) < 2 * smallest:
        return np.zeros(len(matrix), np.int32)
    chosen = chosen_branches(tree := join_tree(matrix), smallest)
    codes = np.full(len(matrix), NO_CLUSTER, np.int32)
    for code, branch in enumerate(chosen):
        codes[_rows_below(tree, branch, len(matrix))] = code
    return codes if chosen else np.zeros(len(matrix), np.int32)


def join_tree(matrix: FloatMatrix) -> JoinTree:
    """The minimum spanning tree of mutual reachability, as the order in which its parts join."""
    table, away = neighbour_table(matrix, GRAPH_NEIGHBOURS)
    core = away[:, min(CORE_NEIGHBOURS, away.shape[1]) - 1]
    starts = np.repeat(np.arange(len(matrix)), table.shape[1])
    edges = _edges(starts, table.ravel().astype(np.int64), away.ravel(), core)
    while True:
        children, distances, parts = _join(edges, len(matrix))
        if len(children) == len(matrix) - 1:
            return _with_sizes(np.array(children), np.array(distances), len(matrix))
        bridges = _edges(*_bridges(matrix, parts), core)
        edges = Edges(
            np.append(edges.starts, bridges.starts),
            np.append(edges.ends, bridges.ends),
            np.append(edges.lengths, bridges.lengths),
        )


class Edges(NamedTuple):
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    lengths: NDArray[np.float32]


def _edges(
    starts: NDArray[np.int64], ends: NDArray[np.int64], away: NDArray[np.float32], core: NDArray[np.float32]
) -> Edges:
    return Edges(starts, ends, np.maximum(np.maximum(away, core[starts]), core[ends]))


def _join(edges: Edges, rows: int) -> tuple[list[tuple[int, int]], list[float], NDArray[np.int64]]:
    """Joins of two nodes from the shortest edge on, their distances, and the part that each row is in at the end."""
    parents, top = list(range(rows)), list(range(rows))
    children, distances = list[tuple[int, int]](), list[float]()

    def root(node: int) -> int:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    order = np.argsort(edges.lengths, kind="stable")
    for start, end, length in zip(*(column[order].tolist() for column in edges), strict=True):
        one, other = root(start), root(end)
        if one != other:
            children.append((top[one], top[other]))
            distances.append(length)
            parents[one] = other
            top[other] = rows + len(children) - 1
    return children, distances, np.array([root(row) for row in range(rows)])


def _bridges(
    matrix: FloatMatrix, parts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """The shortest way out of each part: starts, ends and distances."""
    squares = np.einsum("ij,ij->i", matrix, matrix)
    ends, away = np.empty(len(matrix), np.int64), np.empty(len(matrix), np.float32)
    for at in range(0, len(matrix), BRIDGE_ROWS):
        block = slice(at, at + BRIDGE_ROWS)
        keys = squares - 2 * (matrix[block] @ matrix.T)
        keys[parts[block, None] == parts] = np.inf
        ends[block] = keys.argmin(axis=1)
        away[block] = np.linalg.norm(matrix[block] - matrix[ends[block]], axis=1)
    order = np.lexsort((away, parts))
    first = order[np.unique(parts[order], return_index=True)[1]]
    return first, ends[first], away[first]


def _with_sizes(children: NDArray[np.int64], distances: NDArray[np.float64], rows: int) -> JoinTree:
    sizes = [1] * rows
    for one, other in children.tolist():
        sizes.append(sizes[one] + sizes[other])
    # Equal rows are joined at a distance of 0: as dense as the closest other ones.
    positive = distances[distances > 0]
    closest = positive.min() if len(positive) else 1.0
    return JoinTree(children, 1 / np.maximum(distances, closest), np.array(sizes))


class Branch(NamedTuple):
    node: int  # where it begins
    born: float  # the density there
    parent: int  # the branch that it leaves; -1 for the root


def chosen_branches(tree: JoinTree, smallest: int) -> list[int]:
    """The nodes of the branches that last longer, over all their rows, than the branches that they part into."""
    branches, lasting = _branches(tree, smallest)
    best = list(lasting)
    below: list[list[int]] = [[] for _ in branches]
    # A branch comes after the one that it leaves.
    for number in range(len(branches) - 1, 0, -1):
        parts = sum(best[part] for part in below[number])
        if below[number] and parts > lasting[number]:
            best[number] = parts
        else:
            below[number] = []
        below[branches[number].parent].append(number)
    chosen, waiting = list[int](), list(below[0])
    while waiting:
        number = waiting.pop()
        if below[number]:
            waiting += below[number]
        else:
            chosen.append(branches[number].node)
    return sorted(chosen)


def _branches(tree: JoinTree, smallest: int) -> tuple[list[Branch], list[float]]:
    """Branches of at least `smallest` rows, and over all rows of each the density that they last for."""
    rows = len(tree.sizes) - len(tree.children)
    root = len(tree.sizes) - 1
    branches, lasting = [Branch(root, 0.0, -1)], [0.0]
    waiting = [(root, 0)]
    while waiting:
        node, number = waiting.pop()
        born = branches[number].born
        while node >= rows:
            density = float(tree.density[node - rows])
            one, other = sorted(tree.children[node - rows].tolist(), key=lambda child: int(tree.sizes[child]))
            if tree.sizes[one] >= smallest:
                lasting[number] += (density - born) * int(tree.sizes[node])
                for child in (one, other):
                    branches.append(Branch(child, density, number))
                    lasting.append(0.0)
                    waiting.append((child, len(branches) - 1))
                break
            if tree.sizes[other] < smallest:
                lasting[number] += (density - born) * int(tree.sizes[node])
                break
            lasting[number] += (density - born) * int(tree.sizes[one])
            node = other
    return branches, lasting


def _rows_below(tree: JoinTree, node: int, rows: int) -> list[int]:
    found, waiting = list[int](), [node]
    while waiting:
        node = waiting.pop()
        if node < rows:
            found.append(node)
        else:
            waiting += tree.children[node - rows].tolist()
    return found

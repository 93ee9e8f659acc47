"""Neighbours, quality of pictures, clusters, outliers and duplicates."""

from __future__ import annotations

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.projector import Projector


def neighbours(projector: Projector, body: wire.NeighboursBody) -> wire.NeighboursResponse:
    raise NotImplementedError


def quality(projector: Projector, body: wire.QualityBody) -> bytes:
    raise NotImplementedError


def clusters(projector: Projector, body: wire.ClustersBody) -> bytes:
    raise NotImplementedError


def outliers(projector: Projector, body: wire.FindingsBody) -> wire.OutliersResponse:
    raise NotImplementedError


def duplicates(projector: Projector, body: wire.FindingsBody) -> wire.DuplicatesResponse:
    raise NotImplementedError


def shared(projector: Projector, body: wire.SharedBody) -> bytes:
    raise NotImplementedError

"""Distributed: compute, communication, overlap and waiting of each rank, and its collectives."""

from seamark.profiles.analyses.distributed.find import find_distributed as find_distributed

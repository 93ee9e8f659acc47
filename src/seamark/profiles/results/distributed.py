"""Distributed: the ranks of a capture."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class RankRow(Result, frozen=True, kw_only=True):
    """Times are of an average step; without steps, of the whole trace."""

    host: str  # "rank 0"
    capture_host: str  # which file
    steps: int
    step_ns: int
    compute_ns: int
    communication_ns: int
    overlap_ns: int  # communication while the rank computes
    exposed_ns: int  # the rest of the communication
    wait_ns: int | None  # in collectives, for the last rank; None: no other rank to compare with
    idle_ns: int  # no computation, communication or copy
    awaited_share: float | None  # of the waiting in collectives: while this rank is the last to arrive
    clock_offset_ns: int | None  # its clock is ahead of the first rank's by this
    is_straggler: bool


class RankLane(Result, frozen=True, kw_only=True):
    """One step of a rank on the clock of the first rank."""

    host: str
    capture_host: str
    starts: list[int]  # relative to the window
    durations: list[int]
    activities: list[int]
    slices: list[int]  # -1: several


class CollectiveRow(Result, frozen=True, kw_only=True):
    """Of all ranks."""

    name: str  # "all_reduce"
    group: str  # "2 ranks"; "": not known
    calls: int
    total_ns: int
    mean_ns: int
    bytes: int | None  # of all messages
    bandwidth: float | None  # bytes a second while the collective runs
    longest: int = -1


class Distributed(Result, frozen=True, kw_only=True):
    ranks: list[RankRow]
    collectives: list[CollectiveRow]
    notes: list[str]
    lanes: list[RankLane]
    window_name: str  # the step that the lanes show
    window_ns: int
    window_start_ns: int  # in the trace of the first rank

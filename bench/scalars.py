"""Generates scalar events from a seed: noisy, decaying curves, one value per event, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from seamark import _core

START_SECS = 1_700_000_000.0
STEP_SECS = 0.05
BLOCK_EVENTS = 1 << 20


def head(run_number: int) -> bytes:
    """The first record of every event file."""
    return _core.encode_file_version(start_secs(run_number))


def blocks(tags: Sequence[str], steps: int, seed: Sequence[int], run_number: int) -> Iterator[bytes]:
    """Framed events of all tags for steps 0 … steps-1, in blocks of bounded size."""
    rng = np.random.default_rng(seed)
    tag_bytes = [tag.encode() for tag in tags]
    block_steps = max(1, BLOCK_EVENTS // len(tags))
    for start in range(0, steps, block_steps):
        step = np.arange(start, min(start + block_steps, steps), dtype=np.int64)
        decay = np.exp(-4.0 * step / steps)
        values = decay[:, None] + 0.05 * rng.standard_normal((step.size, len(tags)))
        yield _core.encode_scalars(
            tag_bytes,
            np.tile(np.arange(len(tags), dtype=np.uint32), step.size),
            np.repeat(step, len(tags)),
            np.repeat(start_secs(run_number) + STEP_SECS * step, len(tags)),
            np.ascontiguousarray(values).reshape(-1),
        )


def one_point(tag: str, step: int, value: float, wall_time: float) -> bytes:
    """A framed event, to append to a file that is being followed."""
    return _core.encode_scalar(tag.encode(), value, step, wall_time)


def start_secs(run_number: int) -> float:
    """The start of a run, a minute after the previous one."""
    return START_SECS + 60.0 * run_number

"""Traces of any size: a training loop as torch records it, and 10,000,000 slices in one file."""

from __future__ import annotations

import json
from pathlib import Path

from bench.profiles.cases import Step, run

LAYERS = 200
THREADS = 8
SLICES_OF_BLOCK = 40
BLOCK_NS = 100_000
BLOCKS_OF_STEP = 500


def write_torch_trace(path: Path, size: int) -> None:
    """A loop with operators, launches, kernels and memory, of about `size` bytes."""
    few = 4
    text = json.dumps(run(Step(layers=LAYERS), steps=few).trace())
    steps = max(few, round(size / len(text) * few))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run(Step(layers=LAYERS), steps=steps).trace()))


def write_large_trace(path: Path, slices: int) -> None:
    """Host threads with nested slices, each with arguments as torch writes them: about 200 bytes a slice."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        file.write('{"schemaVersion": 1, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1700000000000000000,\n')
        file.write('"deviceProperties": [], "traceEvents": [\n')
        blocks = -(-slices // SLICES_OF_BLOCK)
        for block in range(blocks):
            file.write(_block_text(block, min(SLICES_OF_BLOCK, slices - block * SLICES_OF_BLOCK)))
        file.write('{"ph": "M", "name": "process_name", "pid": 7, "tid": 0, "ts": 0, "args": {"name": "python"}}\n]}\n')


def _block_text(block: int, count: int) -> str:
    """One operator with operators below it, on one of the threads. The first one is the step, now and then."""
    thread = 7 + block % THREADS
    begin = (block // THREADS) * BLOCK_NS
    lines = []
    for number in range(count):
        depth = 0 if number == 0 else 1 + number % 3
        start, duration, name, category = begin, BLOCK_NS - 2_000, f"aten::layer{block % 97}", "cpu_op"
        if depth:
            part = (BLOCK_NS - 4_000) // (SLICES_OF_BLOCK // 3 + 1)
            group = number // 3
            start = begin + 1_000 + group * part + depth * 50
            duration = part - depth * 100
            name = f"aten::op{(number * 31 + block) % 400}"
        elif thread == 7 and (block // THREADS) % BLOCKS_OF_STEP == 0:
            duration = BLOCKS_OF_STEP * BLOCK_NS - 1_000
            name, category = f"ProfilerStep#{block // THREADS // BLOCKS_OF_STEP}", "user_annotation"
        lines.append(
            f'{{"ph": "X", "cat": "{category}", "name": "{name}", "pid": 7, "tid": {thread}, '
            f'"ts": {start / 1000:.3f}, "dur": {duration / 1000:.3f}, "args": {{"External id": '
            f'{block * SLICES_OF_BLOCK + number}, "Record function id": 0, "Sequence number": {number}, '
            f'"Fwd thread id": 0, "Ev Idx": {block * SLICES_OF_BLOCK + number}}}}},\n'
        )
    return "".join(lines)

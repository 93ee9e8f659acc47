"""kernel_stats.pb: sums of kernels by name, operator and launch parameters."""

from __future__ import annotations

import msgspec

from seamark.format.messages import KernelReport, KernelStatsDb
from seamark.profiles.activity import classify
from seamark.profiles.results import KernelRow
from seamark.profiles.stored_tables import StoredTables


def with_kernels(tables: StoredTables, data: bytes) -> StoredTables:
    """Raises DecodeError."""
    rows = [_row(report) for report in KernelStatsDb.FromString(data).reports]
    rows.sort(key=lambda row: (-row.total_ns, row.name, row.operator))
    return msgspec.structs.replace(tables, kernels=rows, device=tables.device or ("GPU" if rows else ""))


def _row(report: KernelReport) -> KernelRow:
    return KernelRow(
        name=report.name,
        operator=report.op_name,
        activity=int(classify(report.name, "kernel")),
        calls=report.occurrences,
        total_ns=report.total_duration_ns,
        mean_ns=round(report.total_duration_ns / report.occurrences) if report.occurrences else 0,
        min_ns=report.min_duration_ns,
        max_ns=report.max_duration_ns,
        grid=", ".join(map(str, report.grid_dim)),
        block=", ".join(map(str, report.block_dim)),
        registers=report.registers_per_thread or None,
        shared_memory=report.static_shmem_bytes + report.dynamic_shmem_bytes if report.block_dim else None,
        occupancy=report.occupancy_pct or None,
        blocks_per_sm=None,
        tensor_cores=True
        if report.is_kernel_using_tensor_core
        else False
        if report.is_op_tensor_core_eligible
        else None,
    )

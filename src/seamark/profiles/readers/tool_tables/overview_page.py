"""overview_page.pb: the steps with the share of half precision, the devices, and the analysis of the input."""

from __future__ import annotations

import msgspec

from seamark.format.messages import OverviewPage
from seamark.profiles.readers.tool_tables.input_pipeline import tables_of_analysis
from seamark.profiles.readers.tool_tables.steps import has_device
from seamark.profiles.stored_tables import StoredTables


def with_overview(tables: StoredTables, data: bytes) -> StoredTables:
    """Raises DecodeError."""
    page = OverviewPage.FromString(data)
    half, full = page.analysis.device_compute_16bit_percent, page.analysis.device_compute_32bit_percent
    found = tables_of_analysis(page.input_analysis, half_share=half / (half + full) if half + full > 0 else None)
    environment = page.run_environment
    count, device = environment.device_core_count, environment.device_type or found.device
    named = (f"{count} × {device}" if count > 1 else device) if has_device(device) else ""
    return msgspec.structs.replace(
        tables,
        steps=found.steps or tables.steps,
        input_operations=found.input_operations or tables.input_operations,
        input_statement=page.recommendation.statement or found.input_statement or tables.input_statement,
        device=named or tables.device,
        host_count=environment.host_count,
        notes=[*tables.notes, *found.notes],
    )

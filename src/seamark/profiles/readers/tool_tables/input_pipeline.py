"""input_pipeline.pb: the steps, the operations of the input pipeline, and what TensorFlow says about them."""

from __future__ import annotations

import msgspec

from seamark.format.messages import BottleneckAnalysis, InputPipelineAnalysisResult
from seamark.profiles.readers.tool_tables.steps import NS_PER_MS, has_device, steps_of
from seamark.profiles.stored_tables import InputOperation, StoredTables

# Where the name of the operation is that gives a batch to the device.
ENQUEUE = "Enqueue"
NO_PRECISION = "The tables do not say how much of the device's time is in half precision: all of it counts as 32 bits."


def with_input_pipeline(tables: StoredTables, data: bytes) -> StoredTables:
    """Steps of the overview are kept: they know the precision. Raises DecodeError."""
    found = tables_of_analysis(InputPipelineAnalysisResult.FromString(data), half_share=None)
    return msgspec.structs.replace(
        tables,
        steps=tables.steps or found.steps,
        input_operations=tables.input_operations or found.input_operations,
        input_statement=tables.input_statement or found.input_statement,
        device=tables.device or found.device,
        notes=tables.notes if tables.steps else [*tables.notes, *found.notes],
    )


def tables_of_analysis(analysis: InputPipelineAnalysisResult, *, half_share: float | None) -> StoredTables:
    """`half_share` is the part of device compute in 16 bits, None if it is not known. Raises DecodeError."""
    on_device = has_device(analysis.hardware_type)
    statement = BottleneckAnalysis.FromString(analysis.recommendation.bottleneck_analysis.value).input_statement
    return StoredTables(
        steps=steps_of(analysis, half_share=half_share or 0.0),
        input_operations=[
            InputOperation(
                name=each.op_name,
                calls=each.count,
                total_ns=round(each.time_in_ms * NS_PER_MS),
                self_ns=round(each.self_time_in_ms * NS_PER_MS),
            )
            for each in analysis.input_op_details
            if each.category != ENQUEUE
        ],
        input_statement=statement,
        device=analysis.hardware_type if on_device else "",
        notes=[NO_PRECISION] if on_device and half_share is None and analysis.step_details else [],
    )

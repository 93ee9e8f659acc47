"""The input pipeline from the tables of TensorFlow's profiler: waits of steps, and operations as stages."""

from __future__ import annotations

from seamark.profiles.analyses.input_pipeline.advice import InputShare, advise_tf_data
from seamark.profiles.analyses.input_pipeline.tf_data import iterator_path
from seamark.profiles.results import InputPipeline, InputStage
from seamark.profiles.stored_tables import InputOperation, StoredTables

NO_OPERATIONS = "The tables have no operations of an input pipeline."
THREAD_TIMES = (
    "Times of stages are sums over threads, as TensorFlow's profiler counts them: they can exceed the time of steps."
)
MAX_STAGES = 2000


def input_of_tables(tables: StoredTables) -> InputPipeline:
    stages = stages_of(tables.input_operations)
    waits = [step.breakdown.get("input", 0) for step in tables.steps]
    count = max(len(tables.steps), 1)
    mean = InputShare(sum(step.duration_ns for step in tables.steps) // count, sum(waits) // count)
    said = [f"TensorFlow's profiler says: {tables.input_statement}"] if tables.input_statement else []
    return InputPipeline(
        stages=stages,
        wait_ns_per_step=waits,
        wait_bins_ns=[],
        wait_counts=[],
        workers=None,
        advice=advise_tf_data(stages, mean),
        notes=[*said, THREAD_TIMES if stages else NO_OPERATIONS],
    )


def stages_of(operations: list[InputOperation]) -> list[InputStage]:
    """Iterators as a tree by their paths; others, such as file reads, at its root. In preorder."""
    by_path: dict[tuple[str, ...], InputOperation] = {}
    for operation in operations[:MAX_STAGES]:
        by_path.setdefault(iterator_path(operation.name) or (operation.name,), operation)
    bottleneck = max(by_path, key=lambda path: by_path[path].self_ns, default=())
    position: dict[tuple[str, ...], int] = {}
    stages: list[InputStage] = []
    for path in sorted(by_path):  # a stage comes before those below it
        operation = by_path[path]
        above = next((path[:size] for size in range(len(path) - 1, 0, -1) if path[:size] in position), ())
        position[path] = len(stages)
        stages.append(
            InputStage(
                name="::".join(path[len(above) :]),
                parent=position.get(above, -1),
                calls=operation.calls,
                total_ns=operation.total_ns,
                self_ns=operation.self_ns,
                max_ns=None,
                slow_calls=None,
                is_bottleneck=path == bottleneck and operation.self_ns > 0,
            )
        )
    return stages

"""Is less better? As define_metric said it, else by the metric's name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from seamark.compare.record import Record

LESS_IS_BETTER = re.compile(
    r"(^|[^a-z])(loss(es)?|err|error|errors|perplexity|ppl|mae|mse|rmse|nll|fid|wer|cer|bpb|bpc|latency|time|secs|seconds)([^a-z]|$)"
    r"|(_err|loss|error|perplexity)$"
)


def goal_of(tag: str, records: Iterable[Record] = ()) -> str:
    """ "min" or "max"."""
    for record in records:
        for metric in record.record.metrics if record.record is not None else ():
            if metric.goal and fnmatchcase(tag, metric.name.replace("[", "[[]")):
                return "min" if metric.goal.startswith("min") else "max"
    return "min" if LESS_IS_BETTER.search(tag.casefold()) else "max"

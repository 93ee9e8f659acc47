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


MORE_IS_BETTER = re.compile(r"(?<![a-z])(acc(uracy)?|top.?1|f1|auc|bleu|reward|return|score|m?ap|iou)(?![a-z])")


def goal_of(tag: str, records: Iterable[Record] = ()) -> str:
    """ "min" or "max", which is also said of what nobody said anything of."""
    return told_goal(tag, records) or "max"


def told_goal(tag: str, records: Iterable[Record] = ()) -> str | None:
    """None where neither define_metric nor the name tells: of a learning rate nobody says that more is better."""
    for record in records:
        for metric in record.record.metrics if record.record is not None else ():
            if metric.goal and fnmatchcase(tag, metric.name.replace("[", "[[]")):
                return "min" if metric.goal.startswith("min") else "max"
    name = tag.casefold()
    return "min" if LESS_IS_BETTER.search(name) else "max" if MORE_IS_BETTER.search(name) else None

"""Ranks metrics by name: the data they were measured on, and whether runs are tuned for them."""

from __future__ import annotations

import re
from collections.abc import Callable

from seamark.compare.columns.goals import RANK, goal_of_name

# In order of preference: validation data, then test data, and training data last.
VALIDATION, TEST, ANY, TRAIN = range(4)
PARTS = {
    VALIDATION: frozenset({"val", "valid", "validation", "eval", "evaluation", "dev", "hparam", "hparams", "hp"}),
    TEST: frozenset({"test"}),
    TRAIN: frozenset({"train", "training", "batch"}),
}
# Words that do not change the meaning: epoch_loss and mean_loss are losses.
FILLERS = frozenset({"epoch", "mean", "avg", "average", "total", "best", "final", "metric", "metrics"})
NEVER_TUNED_FOR = re.compile(
    r"^(system|sys|gpu|cpu|perf|time|timing|alerts?)[/_]"
    r"|(^|[/_.-])(std|stddev|stdev|deviation|variance)([/_.-]|$)"
    r"|(^|[/_.-])(time|runtime|secs|seconds|per_second|throughput)([/_.-]|$)"
    r"|(^|[/_.-])(epochs?|global_step|step|steps|iteration|iterations|lr|learning_rate|momentum)$|(^|/)lr[-/]"
    r"|(^|/)split\d*_"
    r"|(^|/)intermediate_value"
)


def is_never_tuned_for(name: str) -> bool:
    """Whether it is a spread, rank, time, learning rate, single fold or counter: an objective only if stated."""
    name = name.casefold()
    return NEVER_TUNED_FOR.search(name) is not None or RANK.search(name) is not None


def part_of(name: str) -> int:
    words = set(words_of(name))
    return next((part for part, known in PARTS.items() if words & known), ANY)


def is_loss(name: str) -> bool:
    """Whether it is the total loss, not one of its terms: val/loss and epoch_loss, but not loss_kl."""
    known = frozenset().union(*PARTS.values(), FILLERS)
    return [word for word in words_of(name) if word not in known] == ["loss"]


def preference(name: str) -> tuple[int, bool]:
    """A sort key: the smallest is the best candidate for the objective."""
    return part_of(name), not is_loss(name)


def interest(name: str, goal_of: Callable[[str], str | None] = goal_of_name) -> tuple[bool, bool, int, bool, str]:
    """A sort key: metrics with a goal first, then the others, and system metrics last."""
    return (is_never_tuned_for(name), goal_of(name) is None, *preference(name), name)


def words_of(name: str) -> list[str]:
    return [word for word in re.split(r"[^a-z0-9]+", split_camel(name).casefold()) if word]


def split_camel(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)

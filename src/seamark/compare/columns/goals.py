"""Whether lower or higher values of a metric are better: from the study or define_metric, else from its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from seamark.compare.record.record import Record
from seamark.compare.settings import Goal

LESS_IS_BETTER = re.compile(
    r"(^|[^a-z])(loss(es)?|err|error|errors|perplexity|ppl|mae|mse|rmse|nll|fid|wer|cer|bpb|bpc|latency|time|secs|seconds)([^a-z]|$)"
    r"|(_err|loss|error|perplexity)$"
)
MORE_IS_BETTER = re.compile(
    r"(?<![a-z])(acc(uracy)?|top.?1|precision|recall|f1|auc|auroc|bleu|rouge|rew(ard)?s?|returns?|score|m?ap|iou|dice|r2|psnr|ssim|ndcg|mrr)(?![a-z])"
)
# scikit-learn negates losses and names them "neg_log_loss": higher is better.
NEGATED = re.compile(r"(^|[^a-z])neg(ative|ated)?[^a-z]")
# Rank 1 is the best, also for "rank_test_neg_log_loss".
RANK = re.compile(r"(^|/)(mean_)?rank(_|$)")
# A spread is neither good nor bad.
SPREAD = re.compile(r"(^|[^a-z])(std|stddev|stdev|deviation|var|variance)([^a-z]|$)")

StatedGoals = Sequence[tuple[str, Goal]]  # (name or pattern, goal); the first match wins


def goal_of(tag: str, records: Iterable[Record] = ()) -> Goal | None:
    """ "min" or "max"; None if neither the runs nor the name decide, as for a learning rate."""
    return stated_or_named(tag, stated_goals(records))


def stated_goals(records: Iterable[Record]) -> StatedGoals:
    """The goals that studies and define_metric state, without duplicates: runs of a sweep state the same."""
    objectives: dict[tuple[str, Goal], None] = {}
    defined: dict[tuple[str, Goal], None] = {}
    for record in records:
        if record.record is not None:
            objectives |= {(one.metric, goal_word(one.goal)): None for one in record.record.objectives if one.goal}
            defined |= {(one.name, goal_word(one.goal)): None for one in record.record.metrics if one.goal}
    return [*objectives, *defined]


def stated_or_named(tag: str, stated: StatedGoals) -> Goal | None:
    for name, goal in stated:
        if name == tag or fnmatchcase(tag, name.replace("[", "[[]")):
            return goal
    return goal_of_name(tag)


def goal_of_name(name: str) -> Goal | None:
    """The goal that the words in a name imply."""
    name = name.casefold()
    if SPREAD.search(name):
        return None
    if RANK.search(name):
        return "min"
    less = LESS_IS_BETTER.search(name)
    if less and not NEGATED.search(name):
        return "min"
    return "max" if less or MORE_IS_BETTER.search(name) else None


def goal_word(goal: str) -> Goal:
    """ "min" or "max". run.json has "minimize" and "maximize"; the short forms are accepted, too."""
    return "min" if goal.startswith("min") else "max"

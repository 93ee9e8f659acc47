"""Is less or more of a metric better? As the study or define_metric stated it, else by the metric's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from seamark.compare.record import Record

LESS_IS_BETTER = re.compile(
    r"(^|[^a-z])(loss(es)?|err|error|errors|perplexity|ppl|mae|mse|rmse|nll|fid|wer|cer|bpb|bpc|latency|time|secs|seconds)([^a-z]|$)"
    r"|(_err|loss|error|perplexity)$"
)
MORE_IS_BETTER = re.compile(
    r"(?<![a-z])(acc(uracy)?|top.?1|precision|recall|f1|auc|auroc|bleu|rouge|rew(ard)?s?|returns?|score|m?ap|iou|dice|r2|psnr|ssim|ndcg|mrr)(?![a-z])"
)
# "neg_log_loss", as scikit-learn names losses whose sign it turns: more is better.
NEGATED = re.compile(r"(^|[^a-z])neg(ative|ated)?[^a-z]")
# Of "rank_test_neg_log_loss", too, the first one is the best.
RANK = re.compile(r"(^|/)(mean_)?rank(_|$)")
# How far values are spread says nothing about how good they are.
SPREAD = re.compile(r"(^|[^a-z])(std|stddev|stdev|deviation|var|variance)([^a-z]|$)")

StatedGoals = Sequence[tuple[str, str]]  # (name or pattern, "min" or "max"), the first that fits counts


def goal_of(tag: str, records: Iterable[Record] = ()) -> str | None:
    """ "min" or "max"; None where neither the runs nor the name say it, as of a learning rate."""
    return stated_or_named(tag, stated_goals(records))


def stated_goals(records: Iterable[Record]) -> StatedGoals:
    """What studies and define_metric stated, each once: runs of a sweep state the same."""
    objectives: dict[tuple[str, str], None] = {}
    defined: dict[tuple[str, str], None] = {}
    for record in records:
        if record.record is not None:
            objectives |= {(one.metric, goal_word(one.goal)): None for one in record.record.objectives if one.goal}
            defined |= {(one.name, goal_word(one.goal)): None for one in record.record.metrics if one.goal}
    return [*objectives, *defined]


def stated_or_named(tag: str, stated: StatedGoals) -> str | None:
    for name, goal in stated:
        if name == tag or fnmatchcase(tag, name.replace("[", "[[]")):
            return goal
    return goal_of_name(tag)


def goal_of_name(name: str) -> str | None:
    """By the words in a name."""
    name = name.casefold()
    if SPREAD.search(name):
        return None
    if RANK.search(name):
        return "min"
    less = LESS_IS_BETTER.search(name)
    if less and not NEGATED.search(name):
        return "min"
    return "max" if less or MORE_IS_BETTER.search(name) else None


def goal_word(goal: str) -> str:
    """run.json has "minimize" and "maximize"; "min" and "max" are understood, too."""
    return "min" if goal.startswith("min") else "max"

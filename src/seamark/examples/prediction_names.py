"""Which columns are predictions, of which model and of which class, judged by their names.

`score`, `score:MODEL`, `MODEL/score`, `prob_CLASS`, `MODEL/p_CLASS`, `score:MODEL:CLASS`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

WORDS = "predictions?|predicted|preds?|scores?|prob(?:a|s|ability|abilities)?|p|y_pred|y_hat|yhat|y_score|y_prob|output"
WHOLE = re.compile(rf"(?:{WORDS})", re.I)
BEHIND_COLON = re.compile(rf"(?:{WORDS}):(?P<model>[^:]+)(?::(?P<cls>.+))?", re.I | re.S)
BELOW_MODEL = re.compile(rf"(?P<model>.+)/(?:{WORDS})(?:[_:./ ](?P<cls>.+))?", re.I | re.S)
BY_CLASS = re.compile(rf"(?P<prefix>{WORDS})[_./ ](?P<cls>.+)", re.I | re.S)
# Only with words that no feature has: "credit_score" is one.
MODEL_WORDS = "prediction|predicted|pred"
BY_MODEL = re.compile(rf"(?:{MODEL_WORDS})_(?P<model>.+)|(?P<model2>.+)_(?:{MODEL_WORDS})", re.I | re.S)


class PredictionName(NamedTuple):
    model: str
    predicted_class: str


def prediction_columns(names: Collection[str], classes: Collection[str]) -> Mapping[str, PredictionName]:
    """Of the columns with these names, those with predictions. `classes` are those of the truth, if they are known."""
    known = {name.lower(): name for name in classes}
    found = {name: parsed for name in names if (parsed := _explicit(name, known)) is not None}
    prefixes = Counter(match["prefix"].lower() for name in names if (match := BY_CLASS.fullmatch(name)))
    for name in names:
        match = BY_CLASS.fullmatch(name)
        if name in found or match is None:
            continue
        is_class = match["cls"].lower() in known
        # Without a truth: several columns such as prob_a, prob_b.
        if is_class or (not known and prefixes[match["prefix"].lower()] > 1):
            found[name] = PredictionName("", known.get(match["cls"].lower(), match["cls"]))
    for name in names:
        match = BY_MODEL.fullmatch(name)
        if name not in found and match is not None:
            found[name] = PredictionName(match["model"] or match["model2"], "")
    return found


def _explicit(name: str, known: Mapping[str, str]) -> PredictionName | None:
    if WHOLE.fullmatch(name):
        return PredictionName("", "")
    for pattern in (BEHIND_COLON, BELOW_MODEL):
        match = pattern.fullmatch(name)
        if match is not None:
            predicted = match["cls"] or ""
            if pattern is BEHIND_COLON and not predicted and match["model"].lower() in known:
                return PredictionName("", known[match["model"].lower()])
            return PredictionName(match["model"], known.get(predicted.lower(), predicted))
    return None

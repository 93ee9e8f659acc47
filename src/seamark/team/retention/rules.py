"""Retention rules of a project: which kinds of payloads are dropped after how many days."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

import msgspec
import re2
from msgspec import Meta

from seamark.plugin import RequestError
from seamark.team.database import Transaction

# What "all" keeps: curves, hyperparameters, restarts and layouts take little space, and are what a run is about.
KEPT_KINDS = frozenset({"scalars", "hparams", "session_log", "custom_scalars"})
# What people call one kind is several in event files.
KIND_GROUPS = {
    "graphs": frozenset(
        {
            "graphs",
            "meta_graph",
            "graph_keras_model",
            "graph_run_metadata",
            "graph_run_metadata_graph",
            "graph_tagged_run_metadata",
        }
    ),
    "video": frozenset({"images"}),  # logged as animated images
}
MAX_RULES = 50


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: list[str] | Literal["all"]
    keep_days: Annotated[float, Meta(ge=0, le=36_500, description="Since bytes of the run arrived last.")]
    runs: Annotated[str, Meta(max_length=1000, description="A regular expression; without it: every run.")] = ""

    def applies_to(self, run: str) -> bool:
        return not self.runs or re2.search(self.runs, run) is not None

    def drops(self, kind: str) -> bool:
        if kind in KEPT_KINDS:
            return False
        return self.kinds == "all" or any(kind in KIND_GROUPS.get(wanted, (wanted,)) for wanted in self.kinds)


def check_rules(rules: Collection[Rule]) -> None:
    """Raises RequestError."""
    if len(rules) > MAX_RULES:
        raise RequestError(f"a project has at most {MAX_RULES} rules, got {len(rules)}", code="too_large")
    for rule in rules:
        kept = sorted(KEPT_KINDS.intersection(rule.kinds)) if rule.kinds != "all" else []
        if kept:
            raise RequestError(f"a rule cannot drop '{kept[0]}': they are kept for ever", code="invalid_parameter")
        if rule.kinds != "all" and not rule.kinds:
            raise RequestError('a rule needs kinds to drop, or "all"', code="invalid_parameter")
        try:
            re2.compile(rule.runs)
        except re2.error as error:
            raise RequestError(
                f"this is not a regular expression ({error}): '{rule.runs[:200]}'", code="invalid_parameter"
            ) from None


def read_rules(transaction: Transaction, project_id: str) -> list[Rule]:
    row = transaction.row("SELECT retention FROM projects WHERE id = ?", project_id)
    return msgspec.json.decode(row[0], type=list[Rule]) if row else []


def write_rules(transaction: Transaction, project_id: str, rules: list[Rule]) -> None:
    text = msgspec.json.encode(rules).decode()
    transaction.execute("UPDATE projects SET retention = ? WHERE id = ?", text, project_id)

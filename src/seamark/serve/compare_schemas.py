"""What /api/run, /api/diff, /api/groups, /api/objective and /api/importance take and answer, as JSON Schema."""

from __future__ import annotations

from typing import get_args

from seamark.compare.settings import FileKind, State
from seamark.serve.endpoint import (
    BOOLEAN,
    INTEGER,
    INTEGER_OR_NULL,
    NUMBER,
    NUMBER_OR_NULL,
    TEXT,
    TEXT_OR_NULL,
    VALUE,
    Schema,
    array_of,
    object_of,
)
from seamark.serve.table_schemas import CELL, SELECTION

OBJECT: Schema = {"type": "object"}
VALUE_OR_NULL: Schema = {"anyOf": [VALUE, {"type": "null"}]}
GOAL: Schema = {"type": "string", "enum": ["min", "max"]}

RUN = object_of(
    {
        "name": TEXT,
        "path": TEXT,
        "status": TEXT,
        "started": NUMBER_OR_NULL,
        "ended": NUMBER_OR_NULL,
        "duration": NUMBER_OR_NULL,
        "last_wall": NUMBER_OR_NULL,
        "last_step": INTEGER_OR_NULL,
        "record": {"type": ["object", "null"]},
        "config": OBJECT,
        "params": {"type": "object", "additionalProperties": CELL},
        "summary": OBJECT,
        "sessions": array_of(OBJECT),
        "alerts": array_of(OBJECT),
        "git_diff": TEXT_OR_NULL,
        "files": array_of(
            object_of(
                {
                    "path": TEXT,
                    "bytes": INTEGER,
                    "modified": NUMBER,
                    "kind": {"type": "string", "enum": list(get_args(FileKind))},
                }
            )
        ),
        "console": array_of(object_of({"source": TEXT, "bytes": INTEGER})),
        "goals": {"type": "object", "additionalProperties": GOAL},
        "system_tags": array_of(TEXT),
        "events": object_of({"files": INTEGER, "bytes": INTEGER, "points": INTEGER, "payloads": INTEGER}),
        "folded": array_of(TEXT),
        "homes": {"type": "object", "additionalProperties": object_of({"run": TEXT, "tag": TEXT})},
        "missing": TEXT,
        "problems": array_of(TEXT),
    }
)
CONSOLE = object_of(
    {
        "run": TEXT,
        "source": TEXT,
        "search": TEXT,
        "total": INTEGER,
        "matched": INTEGER,
        "start": INTEGER,
        "lines": array_of(object_of({"number": INTEGER, "text": TEXT, "is_cut": BOOLEAN})),
        "bytes": INTEGER,
        "is_complete": BOOLEAN,
    }
)
CANDIDATE = object_of({"id": TEXT, "goal": {"type": "string", "enum": ["min", "max", ""]}, "part": TEXT})
OBJECTIVE_BODY = object_of(SELECTION, optional=tuple(SELECTION))
OBJECTIVE = object_of(
    {
        "objective": {"anyOf": [CANDIDATE, {"type": "null"}]},
        "candidates": array_of(CANDIDATE),
        "reason": TEXT,
        "ranked": array_of(TEXT),
    }
)
PARTING = object_of({"run": TEXT, "step": INTEGER, "level": NUMBER_OR_NULL, "rule": TEXT})
PARTING_OR_NULL: Schema = {"anyOf": [PARTING, {"type": "null"}]}
DIFF_BODY = object_of({"runs": array_of(TEXT), "tags": array_of(TEXT)}, optional=("tags",))
DIFF = object_of(
    {
        "runs": array_of(TEXT),
        "sections": array_of(
            object_of(
                {
                    "name": TEXT,
                    "rows": array_of(
                        object_of(
                            {
                                "key": TEXT,
                                "values": array_of(CELL),
                                "state": {"type": "string", "enum": list(get_args(State))},
                            }
                        )
                    ),
                }
            )
        ),
        "metrics": array_of(
            object_of(
                {
                    "tag": TEXT,
                    "goal": GOAL,
                    "is_result": {"type": "boolean"},
                    "final": array_of(VALUE_OR_NULL),
                    "final_step": array_of(INTEGER_OR_NULL),
                    "best": array_of(VALUE_OR_NULL),
                    "best_step": array_of(INTEGER_OR_NULL),
                    "parting": PARTING_OR_NULL,
                    "partings": array_of(PARTING_OR_NULL),
                    "note": TEXT,
                }
            )
        ),
        "tags_left_out": INTEGER,
        "git_diffs": array_of(TEXT_OR_NULL),
        "problems": array_of(TEXT),
    }
)
EXTREME: Schema = {"anyOf": [object_of({"run": TEXT, "value": NUMBER}), {"type": "null"}]}
OPTIONAL_SELECTION = tuple(SELECTION)
GROUPS_BODY = object_of(
    {
        **SELECTION,
        "by": array_of(TEXT),
        "metrics": array_of(TEXT),
        "baseline": array_of(CELL),
        "goal": {"type": "object", "additionalProperties": GOAL},
    },
    optional=(*OPTIONAL_SELECTION, "baseline", "goal"),
)
GROUP_METRIC = object_of(
    {
        "n": INTEGER,
        "mean": NUMBER_OR_NULL,
        "std": VALUE_OR_NULL,
        "median": NUMBER_OR_NULL,
        "iqm": NUMBER_OR_NULL,
        "low": NUMBER_OR_NULL,
        "high": NUMBER_OR_NULL,
        "best": EXTREME,
        "worst": EXTREME,
        "against": object_of(
            {
                "difference": NUMBER_OR_NULL,
                "welch_p": NUMBER_OR_NULL,
                "bootstrap_low": NUMBER_OR_NULL,
                "bootstrap_high": NUMBER_OR_NULL,
                "caveat": TEXT,
            }
        ),
    },
    optional=("against",),
)
GROUPS = object_of(
    {
        "by": array_of(TEXT),
        "groups": array_of(
            object_of(
                {
                    "key": array_of(CELL),
                    "runs": array_of(TEXT),
                    "metrics": {"type": "object", "additionalProperties": GROUP_METRIC},
                }
            )
        ),
        "problems": array_of(TEXT),
    }
)
IMPORTANCE_BODY = object_of(
    {**SELECTION, "target": TEXT, "goal": GOAL, "params": array_of(TEXT)},
    optional=(*OPTIONAL_SELECTION, "goal", "params"),
)
IMPORTANCE = object_of(
    {
        "method": TEXT,
        "n": INTEGER,
        "needed": INTEGER,
        "explained": NUMBER_OR_NULL,
        "importances": array_of(object_of({"id": TEXT, "importance": NUMBER, "deviation": NUMBER, "where": TEXT})),
        "effects": array_of(
            object_of(
                {
                    "id": TEXT,
                    "type": {"type": "string", "enum": ["number", "text", "bool"]},
                    "x": array_of(CELL),
                    "mean": array_of(NUMBER),
                    "low": array_of(NUMBER_OR_NULL),
                    "high": array_of(NUMBER_OR_NULL),
                    "n": array_of(INTEGER),
                }
            )
        ),
        "problem": TEXT,
    },
    optional=("problem",),
)

"""What the answers look like, as JSON Schema; tests hold real answers against it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

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
    choice_of,
    object_of,
)
from seamark.serve.series_query import ATTEMPTS, AXES, ENCODINGS, SERIES_ATTEMPTS
from seamark.serve.state import RUN_FIELDS
from seamark.store import Progress

BYTES: Schema = {"type": "string", "format": "binary"}
COUNTS: dict[str, Schema] = {
    field.name: BOOLEAN if get_type_hints(Progress)[field.name] is bool else INTEGER for field in fields(Progress)
}
PROGRESS = object_of({**COUNTS, "roots": array_of(object_of({"name": TEXT, "path": TEXT, "exists": BOOLEAN}))})
RUNS = object_of(
    {
        "runs": array_of(
            object_of(
                {
                    "name": TEXT,
                    "path": TEXT,
                    "first_wall": NUMBER_OR_NULL,
                    "last_wall": NUMBER_OR_NULL,
                    "files": INTEGER,
                    "bytes": INTEGER,
                    "series": INTEGER,
                    "points": INTEGER,
                    "payloads": INTEGER,
                    "position": INTEGER,
                }
            )
        )
    }
)
TAGS = object_of(
    {
        "runs": array_of(TEXT),
        "kinds": {
            "type": "object",
            "additionalProperties": array_of(object_of({"tag": TEXT, "runs": array_of(INTEGER)})),
        },
    }
)
PROBLEMS = object_of(
    {
        "problems": array_of(
            object_of(
                {
                    "severity": {"type": "string", "enum": ["error", "warning"]},
                    "message": TEXT,
                    "path": TEXT,
                    "run": TEXT_OR_NULL,
                    "offset": INTEGER_OR_NULL,
                }
            )
        )
    }
)
LAST = object_of(
    {
        "tags": array_of(
            object_of(
                {
                    "tag": TEXT,
                    "runs": array_of(TEXT),
                    "steps": array_of(INTEGER),
                    "walls": array_of(NUMBER),
                    "values": array_of(VALUE),
                }
            )
        )
    }
)
PAYLOADS = object_of(
    {
        "run": TEXT,
        "tag": TEXT,
        "kind": TEXT,
        "index": array_of(INTEGER),
        "steps": array_of(INTEGER),
        "walls": array_of(NUMBER),
        "lengths": array_of(INTEGER),
        "attempt": array_of(INTEGER),
    }
)
DASHBOARDS = array_of(
    object_of(
        {
            "name": TEXT,
            "title": TEXT,
            "order": INTEGER,
            "kinds": array_of(TEXT),
            "module": TEXT_OR_NULL,
            "has_data": TEXT,
            "error": TEXT,
        },
        optional=("has_data", "error"),
    )
)
SERIES_BODY = object_of(
    {
        "tag": TEXT,
        "run": array_of(TEXT),
        "axis": choice_of(*AXES),
        "start": NUMBER_OR_NULL,
        "stop": NUMBER_OR_NULL,
        "width": INTEGER,
        "smoothing": NUMBER,
        "attempts": choice_of(*SERIES_ATTEMPTS),
        "columns": array_of(TEXT),
        "edges": BOOLEAN,
        "encoding": choice_of(*ENCODINGS),
    },
    optional=("run", "axis", "start", "stop", "width", "smoothing", "attempts", "columns", "edges", "encoding"),
)
SERIES_TOGETHER_BODY = object_of({"questions": array_of(SERIES_BODY)})
EXPORT_BODY = object_of(
    {
        "format": choice_of("csv", "parquet"),
        "tag": array_of(TEXT),
        "run": array_of(TEXT),
        "attempts": choice_of(*ATTEMPTS),
    },
    optional=("format", "tag", "run", "attempts"),
)


def state_parts(*, may_remove: bool) -> dict[str, Schema]:
    def kind_of(kind: type) -> Schema:
        name = {str: "string", bool: "boolean", list: "array"}[kind]
        items = {"items": TEXT} if kind is list else {}
        return {"type": [name, "null"] if may_remove else name, **items}

    run_fields: dict[str, Any] = {name: kind_of(kind) for name, kind in RUN_FIELDS.items()}
    run: dict[str, Any] = dict(object_of(run_fields, optional=tuple(run_fields)))
    if may_remove:
        run["type"] = ["object", "null"]
    return {
        "runs": {"type": "object", "additionalProperties": run},
        "pins": {"type": "array", "items": {}},
        "views": {"type": "object"},
        "dashboards": {"type": "object"},
    }


STATE = object_of({"version": INTEGER, **state_parts(may_remove=False)})
STATE_CHANGE = object_of(
    {"version": INTEGER, **state_parts(may_remove=True)}, optional=("runs", "pins", "views", "dashboards")
)
STATE_CONFLICT = object_of({"error": TEXT, "state": STATE})

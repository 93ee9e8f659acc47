"""What the routes of the table of runs take and answer with, as JSON Schema."""

from __future__ import annotations

from seamark.serve.endpoint import (
    BOOLEAN,
    INTEGER,
    NUMBER_OR_NULL,
    TEXT,
    TEXT_OR_NULL,
    VALUE,
    Schema,
    array_of,
    choice_of,
    object_of,
)

SOURCE: Schema = {"type": "string", "enum": ["run", "param", "metric", "summary"]}
TYPE: Schema = {"type": "string", "enum": ["number", "text", "bool", "time", "duration", "list"]}
CELL: Schema = {"anyOf": [VALUE, BOOLEAN, TEXT, array_of(TEXT), {"type": "null"}]}
COUNTED = array_of(object_of({"value": {"anyOf": [VALUE, BOOLEAN, TEXT]}, "runs": INTEGER}))
TABLE_COLUMNS = object_of(
    {
        "version": INTEGER,
        "runs": INTEGER,
        "columns": array_of(
            object_of(
                {
                    "id": TEXT,
                    "name": TEXT,
                    "source": SOURCE,
                    "type": TYPE,
                    "runs": INTEGER,
                    "mixed": BOOLEAN,
                    "low": NUMBER_OR_NULL,
                    "high": NUMBER_OR_NULL,
                    "values": {"anyOf": [COUNTED, {"type": "null"}]},
                    "goal": {"type": "string", "enum": ["min", "max", ""]},
                    "stats": array_of(TEXT),
                },
                optional=("goal", "stats"),
            )
        ),
        "left_out": {"type": "object", "additionalProperties": INTEGER},
        "folded": {"type": "object", "additionalProperties": TEXT},
        "heirs": {"type": "object", "additionalProperties": TEXT},
        "problems": array_of(TEXT),
    }
)
SELECTION: dict[str, Schema] = {
    "query": TEXT,
    "runs": array_of(TEXT),
    "archived": choice_of("hide", "show", "only"),
    "tail": {"type": "integer", "minimum": 1, "default": 10},
}
TABLE_BODY = object_of(
    {**SELECTION, "sort": array_of(TEXT), "columns": array_of(TEXT), "start": INTEGER, "stop": INTEGER},
    optional=("query", "sort", "columns", "start", "stop", "runs", "archived", "tail"),
)
TABLE = object_of(
    {
        "version": INTEGER,
        "total": INTEGER,
        "matched": INTEGER,
        "start": INTEGER,
        "runs": array_of(TEXT),
        "columns": array_of(
            object_of(
                {"id": TEXT, "type": TYPE, "values": array_of(CELL), "low": NUMBER_OR_NULL, "high": NUMBER_OR_NULL}
            )
        ),
    }
)
COMPLETE_BODY = object_of({"query": TEXT, "cursor": INTEGER})
COMPLETION = object_of(
    {
        "from": INTEGER,
        "to": INTEGER,
        "options": array_of(object_of({"text": TEXT, "kind": TEXT, "detail": TEXT})),
    }
)
REMOVAL_BODY = object_of(
    {"runs": array_of(TEXT), "dry_run": {"type": "boolean", "default": True}}, optional=("dry_run",)
)
REMOVAL = object_of(
    {
        "dry_run": BOOLEAN,
        "runs": array_of(TEXT),
        "files": array_of(object_of({"path": TEXT, "bytes": INTEGER})),
        "total": INTEGER,
        "bytes": INTEGER,
        "trash": TEXT_OR_NULL,
        "problems": array_of(TEXT),
    }
)
QUERY_ERROR = object_of({"error": TEXT, "at": INTEGER, "length": INTEGER}, optional=("at", "length"))

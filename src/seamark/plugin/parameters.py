"""Types of parameters that several routes have in common."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from seamark.format.types import RunName, Tag

Attempts = Literal["latest", "all"]
Axis = Literal["step", "relative", "wall"]
# The largest whole number that a JavaScript number holds exactly.
MAX_INTEGER = 2**53

RunParameter = Annotated[RunName, Meta(description="The run.")]
TagParameter = Annotated[Tag, Meta(description="The tag.")]
AttemptsParameter = Annotated[
    Attempts, Meta(description="Of a restarted run: the points that count, or those of all attempts.")
]
MarkedAttemptsParameter = Annotated[
    Literal["latest", "all", "marked"],
    Meta(
        description="Of a restarted run: the points that count, those of all attempts, or those that count and at the "
        "end the rest of an attempt that had gone further."
    ),
]
Index = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
PayloadIndex = Annotated[Index, Meta(description="The payload, as /api/payloads numbers them.")]

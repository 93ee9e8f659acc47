"""/api/state: names, notes, pins and views that people saved, read and changed."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from seamark.plugin import (
    Endpoint,
    ErrorCase,
    NoParameters,
    ParsedRequest,
    RequestError,
    RequestStruct,
    ResponseStruct,
    not_found,
)
from seamark.plugin.response import ErrorResponse
from seamark.serve.state.document import MAX_TAG_LENGTH, MAX_TAGS, BadStateError
from seamark.serve.state.state import State, WrongVersionError
from seamark.serve.state.storage import StateUnavailableError

Tags = Annotated[list[Annotated[str, Meta(min_length=1, max_length=MAX_TAG_LENGTH)]], Meta(max_length=MAX_TAGS)]


class RunState(ResponseStruct):
    """What is saved of a run."""

    label: str | UnsetType = UNSET
    star: bool | UnsetType = UNSET
    note: str | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET
    colour: str | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    archived: bool | UnsetType = UNSET


class StateResponse(ResponseStruct):
    version: int
    runs: dict[str, RunState]
    pins: list[Any]
    views: dict[str, Any]
    dashboards: dict[str, Any]


class RunChange(RequestStruct):
    """null removes a field."""

    label: str | UnsetType | None = UNSET
    star: bool | UnsetType | None = UNSET
    note: str | UnsetType | None = UNSET
    hidden: bool | UnsetType | None = UNSET
    colour: str | UnsetType | None = UNSET
    tags: Tags | UnsetType | None = UNSET
    archived: bool | UnsetType | None = UNSET


class StateChange(RequestStruct):
    version: Annotated[int, Meta(description="The version of the state that the change was made on.")]
    runs: dict[str, RunChange | None] | UnsetType = UNSET
    pins: list[Any] | UnsetType = UNSET
    views: dict[str, Any] | UnsetType = UNSET
    dashboards: dict[str, Any] | UnsetType = UNSET


class TextBody(RequestStruct):
    text: str


class TextParameters(RequestStruct):
    id: Annotated[str, Meta(description="Of a text that was saved.", max_length=64)]


class SavedTextResponse(ResponseStruct):
    id: str


class TextResponse(ResponseStruct):
    text: str


class ConflictResponse(ErrorResponse, kw_only=True):
    state: StateResponse


UNAVAILABLE = ErrorCase("The saved state cannot be read or changed now, as when another program has locked it.")


def state_endpoints(state: State) -> list[Endpoint]:
    def read(_: ParsedRequest[NoParameters, None]) -> Annotated[dict[str, Any], StateResponse]:
        try:
            return state.read()
        except StateUnavailableError as error:
            raise RequestError(str(error), code="unavailable") from error

    def patch(request: ParsedRequest[NoParameters, StateChange]) -> Annotated[dict[str, Any], StateResponse]:
        change = msgspec.to_builtins(request.body)
        try:
            return state.patch(change.pop("version"), change)
        except BadStateError as error:
            raise RequestError(str(error), code="invalid_parameter") from error
        except WrongVersionError as error:
            raise RequestError(str(error), code="conflict", details={"state": error.current}) from error
        except StateUnavailableError as error:
            raise RequestError(str(error), code="unavailable") from error

    def save_text(request: ParsedRequest[NoParameters, TextBody]) -> SavedTextResponse:
        try:
            return SavedTextResponse(state.save_text(request.body.text))
        except BadStateError as error:
            raise RequestError(str(error), code="too_large") from error
        except StateUnavailableError as error:
            raise RequestError(str(error), code="unavailable") from error

    def text(request: ParsedRequest[TextParameters, None]) -> TextResponse:
        try:
            found = state.text(request.parameters.id)
        except StateUnavailableError as error:
            raise RequestError(str(error), code="unavailable") from error
        if found is None:
            raise not_found(f"this server has no saved text '{request.parameters.id}' any more")
        return TextResponse(found)

    return [
        Endpoint(
            path="/state/texts",
            summary="A text that was too long for an address.",
            handler=text,
            errors={503: UNAVAILABLE},
        ),
        Endpoint(
            path="/state/texts",
            method="POST",
            changes=True,
            summary="Saves a text that is too long for an address, and returns its id.",
            handler=save_text,
            errors={503: UNAVAILABLE},
        ),
        Endpoint(
            path="/state",
            summary="Names, notes, stars, colours, pins, views, and what dashboards save.",
            handler=read,
            errors={503: UNAVAILABLE},
            has_etag=True,
        ),
        Endpoint(
            path="/state",
            method="PATCH",
            changes=True,
            summary="Merges a change into the state (null removes), if it still has the given version.",
            handler=patch,
            errors={
                409: ErrorCase("The state was changed meanwhile; the response has the current one.", ConflictResponse),
                503: UNAVAILABLE,
            },
        ),
    ]

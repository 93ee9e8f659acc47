"""/api/openapi.json: every endpoint described, from the same declarations that answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from seamark import __version__
from seamark.serve import schemas
from seamark.serve.answers import as_tagged_json
from seamark.serve.endpoint import ERROR, JSON, Asked, Endpoint, Parameter

PREFIX = "/api"


def described(endpoints: Sequence[Endpoint], *, elsewhere: Sequence[Endpoint]) -> list[Endpoint]:
    """The endpoints, and the one that describes them, itself, and those that are answered elsewhere."""
    everything: list[Endpoint] = []

    def openapi(asked: Asked) -> Response:
        return as_tagged_json(asked.request, description([*everything, *elsewhere]))

    itself = Endpoint(path="/openapi.json", answer=openapi, schema={"type": "object"}, summary="This description.")
    everything += [*endpoints, itself]
    return everything


def description(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(PREFIX + endpoint.path, {})[endpoint.method.lower()] = operation(endpoint)
    return {"openapi": "3.1.0", "info": {"title": "Seamark", "version": __version__}, "paths": paths}


def operation(endpoint: Endpoint) -> dict[str, Any]:
    responses: dict[str, Any] = {
        "200": {"description": endpoint.summary, "content": {endpoint.media_type: {"schema": endpoint.schema}}},
        "400": {"description": "The question was wrong; why.", "content": {JSON: {"schema": endpoint.error}}},
    }
    for status, text in endpoint.statuses.items():
        responses[str(status)] = {"description": text}
    if 409 in endpoint.statuses:
        responses["409"]["content"] = {JSON: {"schema": schemas.STATE_CONFLICT}}
    for status in {403, 404, 501} & set(endpoint.statuses):
        responses[str(status)]["content"] = {JSON: {"schema": ERROR}}
    said: dict[str, Any] = {"summary": endpoint.summary, "responses": responses}
    if endpoint.parameters:
        said["parameters"] = [parameter_of(parameter) for parameter in endpoint.parameters]
    if endpoint.body is not None:
        said["requestBody"] = {"required": True, "content": {JSON: {"schema": endpoint.body}}}
    return said


def parameter_of(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.description,
        "schema": parameter.schema,
    }

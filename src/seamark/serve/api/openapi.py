"""/api/openapi.json: the description of every endpoint, made from the types that validate its requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from seamark.plugin import Endpoint, NoParameters, ParsedRequest
from seamark.plugin.response import JSON, ErrorResponse
from seamark.version import __version__

RAW_BODIES = (bytes, Path)
REFERENCE = "#/components/schemas/{name}"
BYTES = {"type": "string", "format": "binary"}
Schema = Mapping[str, Any]


def openapi_endpoint(endpoints: Callable[[], Mapping[str, Sequence[Endpoint]]]) -> Endpoint:
    """The route that describes the endpoints, which are given by the prefix of their paths."""

    def describe(_: ParsedRequest[NoParameters, None]) -> dict[str, Any]:
        return description(endpoints())

    return Endpoint(
        path="/openapi.json",
        summary="This description.",
        handler=describe,
        has_etag=True,
    )


def description(endpoints: Mapping[str, Sequence[Endpoint]]) -> dict[str, Any]:
    all_endpoints = [endpoint for group in endpoints.values() for endpoint in group]
    received = dict.fromkeys(one for endpoint in all_endpoints for one in received_types(endpoint))
    sent = dict.fromkeys(one for endpoint in all_endpoints for one in sent_types(endpoint))
    only_sent = objects_in(sent) - objects_in(received)
    all_types = list({**received, **sent, **dict.fromkeys(only_sent)})
    schemas, components = msgspec.json.schema_components(all_types, schema_hook=schema_of_other, ref_template=REFERENCE)
    schema_by_type = dict(zip(all_types, schemas, strict=True))
    for one in only_sent:
        component = components[component_name(schema_by_type[one])]
        component["required"] = always_sent(one, component)
        for name in component["required"]:
            component["properties"][name].pop("default", None)
    paths: dict[str, dict[str, Any]] = {}
    for prefix, group in endpoints.items():
        for endpoint in group:
            described = operation(endpoint, schema_by_type, components)
            paths.setdefault(prefix + endpoint.path, {})[endpoint.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {"title": "Seamark", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def schema_of_other(type_: type) -> dict[str, Any]:
    """Of a type that msgspec has no schema for: TensorBoard's routes return any object."""
    if type_ is object:
        return {"description": "As TensorBoard has it."}
    raise NotImplementedError(type_)


def received_types(endpoint: Endpoint) -> list[Any]:
    """What a client sends."""
    types = endpoint.types
    return [types.parameters, *([] if types.body in (None, *RAW_BODIES) else [types.body])]


def sent_types(endpoint: Endpoint) -> list[Any]:
    responses = (endpoint.types.response, ErrorResponse, *(case.response for case in endpoint.errors.values()))
    return [response for response in responses if response is not None]


def objects_in(types: Iterable[Any]) -> set[type]:
    """The structs and dataclasses among the types, and those of their fields."""
    found: set[type] = set()

    def visit(value: Any) -> None:
        if isinstance(value, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
            if value.cls in found:
                return
            found.add(value.cls)
        if isinstance(value, msgspec.inspect.Type | msgspec.inspect.Field):
            for name in value.__struct_fields__:
                visit(getattr(value, name))
        elif isinstance(value, tuple):
            for item in value:
                visit(item)

    visit(msgspec.inspect.multi_type_info(types))
    return found


def always_sent(sent: type, component: Schema) -> list[str]:
    """The fields that every response has: all but those that are left out when they are unset or have their default."""
    omitted = set()
    if issubclass(sent, msgspec.Struct):
        omits_defaults = sent.__struct_config__.omit_defaults
        omitted = {
            field.encode_name
            for field in msgspec.structs.fields(sent)
            if field.default is msgspec.UNSET or (omits_defaults and not field.required)
        }
    return [name for name in component["properties"] if name not in omitted]


def component_name(schema: Schema) -> str:
    reference: str = schema["$ref"]
    return reference.rpartition("/")[2]


def operation(
    endpoint: Endpoint, schema_by_type: Mapping[Any, Schema], components: Mapping[str, Any]
) -> dict[str, Any]:
    def content(media_type: str, content_type: Any) -> dict[str, Any]:
        return {"content": {media_type: {"schema": BYTES if content_type is None else schema_by_type[content_type]}}}

    responses: dict[str, Any] = {
        "200": {"description": endpoint.summary, **content(endpoint.media_type, endpoint.types.response)},
        "400": {"description": "A parameter or the body is wrong.", **content(JSON, ErrorResponse)},
    }
    for status, case in endpoint.errors.items():
        responses[str(status)] = {"description": case.description}
        if case.response is not None:
            responses[str(status)] |= content(JSON, case.response)
    described: dict[str, Any] = {"summary": endpoint.summary, "responses": responses}
    parameters = parameters_of(components[component_name(schema_by_type[endpoint.types.parameters])])
    if parameters:
        described["parameters"] = parameters
    if endpoint.types.body is not None:
        is_json = endpoint.types.body not in RAW_BODIES
        body = content(JSON, endpoint.types.body) if is_json else content("application/octet-stream", None)
        described["requestBody"] = {"required": True, **body}
    return described


def parameters_of(schema: Schema) -> list[dict[str, Any]]:
    found = []
    for name, entry in schema.get("properties", {}).items():
        rest = {key: value for key, value in entry.items() if key != "description"}
        is_required = name in schema.get("required", ())
        described = {"name": name, "in": "query", "required": is_required, "schema": rest}
        found.append({**described, "description": entry.get("description", "")})
    return found

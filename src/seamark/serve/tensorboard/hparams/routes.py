"""Routes of hyperparameters: experiments, groups of sessions and their metrics."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec

from seamark.kinds.hparams import Interval
from seamark.plugin import Endpoint, ParsedRequest, RequestError
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.hparams.columns import filter_and_sort
from seamark.serve.tensorboard.hparams.download import table_response
from seamark.serve.tensorboard.hparams.experiment import Experiment, HParam, experiment_of, logged_in
from seamark.serve.tensorboard.hparams.request import (
    SessionGroupsRequest,
    parse_experiment_request,
    parse_metric_evals_request,
    parse_session_groups_request,
)
from seamark.serve.tensorboard.hparams.session_groups import (
    Measurement,
    Session,
    SessionGroup,
    metric_run,
    session_groups,
)
from seamark.serve.tensorboard.points_json import rows_json
from seamark.serve.tensorboard.request import TensorBoardParameters, json_text

DOWNLOAD_PATH = "/plugin/hparams/download_data"


class RequestParameters(TensorBoardParameters):
    request: str = ""  # JSON; of a POST it is the body


class DownloadParameters(RequestParameters, kw_only=True):
    columns_visibility: str = msgspec.field(name="columnsVisibility")  # a JSON list of true and false
    format: str = ""


def hparams_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    def experiment(text: str | bytes, _: RequestParameters) -> object:
        request = parse_experiment_request(text)
        found = logged_in(catalogue)
        limit, include_metrics = request.hparams_limit, request.include_metrics
        return experiment_json(experiment_of(catalogue, found, include_metrics=include_metrics, hparams_limit=limit))

    def groups(text: str | bytes, _: RequestParameters) -> object:
        _experiment, found, total = requested_groups(catalogue, parse_session_groups_request(text))
        return {"sessionGroups": [group_json(group) for group in found], "totalSize": total}

    def metric_evals(text: str | bytes, _: RequestParameters) -> object:
        request = parse_metric_evals_request(text)
        points = catalogue.scalars(metric_run(request.session_name, request.metric), request.metric.tag)
        return json_text(rows_json(points))

    def download_data(text: str | bytes, parameters: DownloadParameters) -> object:
        visible = parse_visibility(parameters.columns_visibility)
        experiment, found, _ = requested_groups(catalogue, parse_session_groups_request(text))
        return table_response(experiment, found, visible, parameters.format)

    def download(request: ParsedRequest[DownloadParameters, None]) -> object:
        return download_data(request.parameters.request, request.parameters)

    def download_by_body(request: ParsedRequest[DownloadParameters, bytes]) -> object:
        return download_data(request.body, request.parameters)

    return [
        *get_and_post("experiment", "What the runs vary and measure.", experiment),
        *get_and_post("session_groups", "The sessions, grouped, filtered and sorted.", groups),
        *get_and_post("metric_evals", "The points of one metric of a session.", metric_evals),
        Endpoint(path=DOWNLOAD_PATH, summary="The sessions as a table.", handler=download),
        Endpoint(path=DOWNLOAD_PATH, method="POST", summary="The sessions as a table.", handler=download_by_body),
    ]


def get_and_post(
    name: str, summary: str, handler: Callable[[str | bytes, RequestParameters], object]
) -> list[Endpoint]:
    """The request is JSON, in the parameter `request` of a GET or in the body of a POST."""
    path = f"/plugin/hparams/{name}"

    def by_query(request: ParsedRequest[RequestParameters, None]) -> object:
        return handler(request.parameters.request, request.parameters)

    def by_body(request: ParsedRequest[RequestParameters, bytes]) -> object:
        return handler(request.body, request.parameters)

    return [
        Endpoint(path=path, summary=summary, handler=by_query),
        Endpoint(path=path, method="POST", summary=summary, handler=by_body),
    ]


def requested_groups(catalogue: Catalogue, request: SessionGroupsRequest) -> tuple[Experiment, list[SessionGroup], int]:
    """The experiment, the groups of the slice, and the number of all groups.

    As in TensorBoard, negative bounds count from the end.
    """
    found = logged_in(catalogue)
    experiment = experiment_of(catalogue, found, include_metrics=request.include_metrics)
    metrics = [column.name for column in experiment.metrics]
    groups = filter_and_sort(session_groups(catalogue, found, metrics, request), request.columns)
    return experiment, groups[request.start_index : request.start_index + request.slice_size], len(groups)


def parse_visibility(text: str) -> list[bool]:
    try:
        visible = json.loads(text)
    except (ValueError, RecursionError):
        visible = None
    if not isinstance(visible, list):
        raise RequestError("columnsVisibility must be a JSON list of true and false", code="invalid_parameter")
    return [bool(one) for one in visible]


def experiment_json(experiment: Experiment) -> dict[str, object]:
    return {
        "name": experiment.name,
        "description": experiment.description,
        "user": experiment.user,
        "timeCreatedSecs": experiment.time_created_secs,
        "hparamInfos": [hparam_json(hparam) for hparam in experiment.hparams],
        "metricInfos": [
            {
                "name": metric.name._asdict(),
                "displayName": metric.display_name,
                "description": metric.description,
                "datasetType": f"DATASET_{metric.dataset_type.name}",
            }
            for metric in experiment.metrics
        ],
    }


def hparam_json(hparam: HParam) -> dict[str, object]:
    shown: dict[str, object] = {
        "name": hparam.name,
        "displayName": hparam.display_name,
        "description": hparam.description,
        "type": f"DATA_TYPE_{hparam.type.name}",
        "differs": hparam.differs,
    }
    match hparam.domain:
        case Interval(low, high):
            shown["domainInterval"] = {"minValue": low, "maxValue": high}
        case tuple(values):
            shown["domainDiscrete"] = list(values)
    return shown


def group_json(group: SessionGroup) -> dict[str, object]:
    return {
        "name": group.name,
        "hparams": group.hparams,
        "metricValues": [measurement_json(one) for one in group.measured],
        "sessions": [session_json(session) for session in group.sessions],
        "monitorUrl": group.monitor_url,
    }


def session_json(session: Session) -> dict[str, object]:
    return {
        "name": session.name,
        "startTimeSecs": session.start_secs,
        "endTimeSecs": session.end_secs,
        "status": f"STATUS_{session.status.name}",
        "modelUri": session.model_uri,
        "metricValues": [measurement_json(one) for one in session.measured],
        "monitorUrl": session.monitor_url,
    }


def measurement_json(one: Measurement) -> dict[str, object]:
    return {
        "name": one.metric._asdict(),
        "value": one.value,
        "trainingStep": one.step,
        "wallTimeSecs": one.wall,
    }

"""The routes of the hyperparameter dashboard."""

from __future__ import annotations

import json

from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds.hparams import Interval
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.hparams.columns import arranged
from seamark.serve.tensorboard.hparams.download import as_table
from seamark.serve.tensorboard.hparams.experiment import Experiment, HParam, experiment_of, logged_in
from seamark.serve.tensorboard.hparams.request import (
    SessionGroupsRequest,
    experiment_request,
    metric_evals_request,
    session_groups_request,
)
from seamark.serve.tensorboard.hparams.session_groups import (
    Measurement,
    Session,
    SessionGroup,
    metric_run,
    session_groups,
)
from seamark.serve.tensorboard.question import Question, RefusalError, as_json, route


def hparams_routes(catalogue: Catalogue) -> list[Route]:
    def experiment(question: Question) -> Response:
        request = experiment_request(question)
        found = logged_in(catalogue)
        return as_json(
            experiment_json(
                experiment_of(
                    catalogue,
                    found,
                    include_metrics=request.include_metrics,
                    hparams_limit=request.hparams_limit,
                )
            )
        )

    def groups(question: Question) -> Response:
        request = session_groups_request(question)
        _, found, total = groups_asked_for(catalogue, request)
        return as_json({"sessionGroups": [group_json(group) for group in found], "totalSize": total})

    def metric_evals(question: Question) -> Response:
        request = metric_evals_request(question)
        return as_json(catalogue.scalars(metric_run(request.session_name, request.metric), request.metric.tag))

    def download_data(question: Question) -> Response:
        visible = visible_columns(question.text("columnsVisibility"))
        request = session_groups_request(question)
        shown, found, _ = groups_asked_for(catalogue, request)
        return as_table(shown, found, visible, question.optional("format") or "")

    both = ["GET", "POST"]
    return [
        route("/plugin/hparams/experiment", experiment, methods=both),
        route("/plugin/hparams/session_groups", groups, methods=both),
        route("/plugin/hparams/metric_evals", metric_evals, methods=both),
        route("/plugin/hparams/download_data", download_data, methods=both),
    ]


def groups_asked_for(catalogue: Catalogue, request: SessionGroupsRequest) -> tuple[Experiment, list[SessionGroup], int]:
    """The experiment, the groups in the slice asked for, and how many there are in all.

    Negative bounds count from the end, as in Python, and as TensorBoard takes them.
    """
    found = logged_in(catalogue)
    experiment = experiment_of(catalogue, found, include_metrics=request.include_metrics)
    metrics = [column.name for column in experiment.metrics]
    groups = arranged(session_groups(catalogue, found, metrics, request), request.columns)
    return experiment, groups[request.start_index : request.start_index + request.slice_size], len(groups)


def visible_columns(text: str) -> list[bool]:
    try:
        visible = json.loads(text)
    except (ValueError, RecursionError):
        visible = None
    if not isinstance(visible, list):
        raise RefusalError("the parameter 'columnsVisibility' is not a JSON list of true and false")
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

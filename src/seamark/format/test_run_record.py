"""run.json is read as it was written, and malformed or newer files are tolerated."""

from __future__ import annotations

import json

import pytest

from seamark.format.run_record import (
    Alert,
    Failure,
    Git,
    Gpu,
    Metric,
    Objective,
    RunRecord,
    RunRecordError,
    Session,
    Writer,
    dumps,
    loads,
)


def full_record() -> RunRecord:
    return RunRecord(
        id="k3v9x2aa",
        name="Größe <script>🙂",
        project="moons",
        tags=("a", "b"),
        status="crashed",
        started_at=1700000000.5,
        ended_at=1700000100.0,
        error=Failure("ValueError", "no", "Traceback …"),
        last_step=7,
        config={"optimizer": {"lr": 0.1}, "layers": [1, 2]},
        summary={"loss": 0.5},
        metrics=(Metric("val/*", step_metric="epoch", summary="min"),),
        objectives=(Objective("val/loss", "minimize"),),
        alerts=(Alert(1.0, "low", "very", "warn", 3),),
        sessions=(Session(started_at=1.0, status="killed", pid=4, command=("python", "a.py")),),
        writer=Writer("s", "host", 4, "boot ns", "99"),
        gpus=(Gpu("A100", 80, "550"),),
        git=Git("abc", "main", "https://example.org/r.git", dirty=True),
        packages={"numpy": "2.0"},
    )


def test_a_record_is_read_as_it_was_written() -> None:
    assert loads(dumps(full_record())) == full_record()


@pytest.mark.parametrize("status", ["pruned", "failed"])
def test_a_trial_can_end_without_a_result(status: str) -> None:
    assert loads(dumps(RunRecord(status=status, ended_at=2.0))).status == status


def test_non_finite_numbers_are_strings() -> None:
    text = dumps(RunRecord(summary={"a": float("nan"), "b": [float("inf"), -float("inf")]}))
    assert json.loads(text)["summary"] == {"a": "NaN", "b": ["Infinity", "-Infinity"]}


def test_fields_of_a_newer_version_are_kept() -> None:
    content = json.loads(dumps(full_record())) | {"version": 9, "mood": {"now": "calm"}}
    again = json.loads(dumps(loads(json.dumps(content))))
    assert again == content


def test_malformed_fields_get_their_defaults() -> None:
    wrong = {
        "schema": "seamark.run", "id": 7, "name": "kept", "tags": ["a", 1, "b"], "alerts": [{"title": "x", "at": "soon"}, 3],
        "git": "none", "status": "dancing", "started_at": True, "last_step": 3.0, "error": [], "packages": {"a": 1},
        "heartbeat_at": 1e400, "writer": {"pid": "4"},
    }  # fmt: skip
    record = loads(json.dumps(wrong))
    assert (record.id, record.name, record.tags) == ("", "kept", ("a", "b"))
    assert record.alerts == (Alert(title="x"),)
    assert (record.git, record.error, record.packages, record.writer) == (None, None, {}, Writer())
    assert (record.status, record.started_at, record.last_step) == ("running", 0.0, 3)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"name": "x"}', '{"schema": "other"}', "[" * 100_000])
def test_a_file_that_is_not_a_record_is_rejected(text: str) -> None:
    with pytest.raises(RunRecordError, match=r"run\.json"):
        loads(text)

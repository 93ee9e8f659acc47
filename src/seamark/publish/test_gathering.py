"""What is gathered: nothing of other runs, nothing of the machine, and the same with every publish."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import numpy as np
import pytest

import seamark
from seamark.publish.conftest import Gather
from seamark.publish.gather.examples import rows_key
from seamark.publish.gather.series import series_key
from seamark.publish.redaction import published_record
from seamark.publish.request_key import get_key, post_key


def test_other_runs_leave_no_trace(gathered: Gather) -> None:
    found = gathered("first", "second", notes={"secret-run": {"label": "secret label"}, "first": {"label": "shown"}})
    everything = b"\n".join([*found.values(), *(key.encode() for key in found)])
    assert b"secret" not in everything
    assert json.loads(found[get_key("api/state")])["runs"] == {"first": {"label": "shown"}}
    assert [run["name"] for run in json.loads(found[get_key("api/runs")])["runs"]] == ["first", "second"]


def test_machine_and_user_leave_no_trace(
    gathered: Gather, logdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "a-user-of-this-test"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(socket, "gethostname", lambda: "unique-machine-name")
    monkeypatch.setenv("WANDB_MODE", "a value of the environment")
    config = {"data": f"{home}/data", "lr": 0.1}
    with seamark.init(dir=logdir, name="recorded", config=config, notes="### Notes") as run:
        run.log({"loss": 1.0})
    found = gathered()
    everything = b"\n".join(found.values()).decode(errors="replace")
    for secret in (str(logdir), str(home), "a-user-of-this-test", "a value of the environment", "tfevents"):
        assert secret not in everything, secret
    record = json.loads(found[get_key("api/run", [("run", "recorded")])])
    assert record["record"]["host"]["name"] == "" and record["record"]["working_dir"] == ""
    assert socket.gethostname() not in everything
    assert record["config"]["data"] == "~/data"
    assert "<h3>Notes</h3>" in json.loads(found[post_key("api/markdown", {"text": "### Notes"})])["html"]


def test_gathering_twice_gives_the_same(gathered: Gather) -> None:
    assert gathered() == gathered()


def test_a_running_run_is_unfinished_for_a_site(gathered: Gather, logdir: Path) -> None:
    """Whether it ended since nobody tells a visitor."""
    with seamark.SummaryWriter(logdir / "running") as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.flush()
        found = gathered("running")
    assert json.loads(found[get_key("api/table/statuses")])["statuses"] == {"unfinished": ["running"]}
    view = json.loads(found[get_key("api/run", [("run", "running")])])
    assert view["status"] == published_record({"status": "running"})["status"] == "unfinished"
    assert json.loads(found["column\0run:status"])["run:status"]["values"] == ["unfinished"]


def test_sets_of_examples_have_rows_and_analyses_of_all_rows(gathered: Gather, logdir: Path) -> None:
    ages = np.arange(20, 60)
    for name in ("examples", "secret-examples"):
        with seamark.init(dir=logdir, name=name, console=False) as run:
            run.log_examples({"age": ages, "label": ages > 45}, (ages - 20) / 40, step=1, truth="label")
    found = gathered("examples")
    listed = json.loads(found[get_key("api/dashboards/whatif/sets")])["sets"]
    assert [one["run"] for one in listed] == ["examples"]
    name, routes = listed[0]["name"], "api/dashboards/whatif"
    block = json.loads(found[rows_key("examples", name, -1, 0)])
    assert [row[block["columns"].index("age")] for row in block["values"]] == ages.tolist()
    at = {"run": "examples", "name": name, "step": -1}
    model = json.loads(found[get_key(f"{routes}/info", at.items())])["models"][0]["name"]
    for column in ([("column", "age")], [("column", "=score"), ("model", model)]):
        assert get_key(f"{routes}/column", [*at.items(), *column]) in found
    filter = {"query": "", "conditions": []}
    body = {**at, "model": model, "filter": filter, "slice_by": ["age"], "bins": 4, "positive": "", "cost_ratio": 1}
    assert json.loads(found[post_key(f"{routes}/performance", body)])["binary"] is not None
    assert post_key(f"{routes}/worst_slices", {**at, "model": model, "threshold": 0.5}) in found


def test_text_is_rendered_and_sanitized(gathered: Gather, logdir: Path) -> None:
    with seamark.SummaryWriter(logdir / "hostile") as writer:
        writer.add_text("note", "<img src=x onerror=alert(1)> **bold**", 0)
    parameters = [("run", "hostile"), ("tag", "note/text_summary"), ("index", 0)]
    found = gathered("hostile")
    entry = json.loads(found[get_key("api/dashboards/text/entry", parameters)])
    assert "<strong>bold</strong>" in entry["html"] and "onerror" not in entry["html"]


@pytest.mark.parametrize("name", ['a"b', "a\nb", "</script><script>", "ключ", "100%", "a&b=c#d?e"])
def test_hostile_names_of_runs_and_tags(gathered: Gather, logdir: Path, name: str) -> None:
    run = name.replace("/", "_")
    with seamark.SummaryWriter(logdir / run) as writer:
        writer.add_scalar(name, 1.0, 0)
        writer.add_text(name, "words", 0)
    found = gathered(run)
    assert series_key(name, run) in found
    tag = f"{name}/text_summary"
    entry = get_key("api/dashboards/text/entry", [("run", run), ("tag", tag), ("index", 0)])
    assert json.loads(found[entry])["rows"] == [["words"]]


def test_key_of_a_request_ignores_defaults_and_the_order_of_names() -> None:
    one = get_key("api/x", [("b", 1), ("a", "x"), ("steps", ""), ("all", False), ("wall", 3.5)])
    assert one == get_key("api/x", [("a", "x"), ("b", 1)]) == "GET api/x\0a=x\0b=1"
    assert get_key("api/x", [("run", "b"), ("run", "a")]) == "GET api/x\0run=b\0run=a"
    assert post_key("api/x", {"b": [1, None], "a": "é"}) == 'POST api/x\0{"a":"é","b":[1,null]}'

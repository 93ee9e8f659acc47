"""docs/runs.md and docs/run-json.md are checked: every option, method and field is in them, and their examples run."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

import seamark
from seamark.format import run_record
from seamark.hooks import ProfilerHook, StepCounter
from seamark.write.queue.lifetime.listeners import ProcessListener
from seamark.write.run.config import settings
from seamark.write.run.system import machine, system_metrics

ROOT = Path(__file__).resolve().parent.parent
RUNS, SCHEMA = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("runs.md", "run-json.md"))
VALUES = (seamark.Image, seamark.Histogram, seamark.Audio, seamark.Video, seamark.Text, seamark.Html, seamark.Table)


def parameters(function: object) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self", "clock"}  # type: ignore[arg-type]


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", RUNS, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def test_every_argument_of_init_has_a_row_and_no_other() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", section("seamark.init"), re.MULTILINE))
    assert rows == parameters(seamark.init)


@pytest.mark.parametrize(
    "function", [*VALUES, StepCounter, ProfilerHook, seamark.watch], ids=lambda each: each.__name__
)
def test_every_argument_is_in_the_signature_shown(function: type) -> None:
    shown = re.findall(rf"{function.__name__}\(([^`]*)\)`", RUNS)
    assert parameters(function) in [set(re.findall(r"(\w+)(?:=[^,]*)?(?:, |$)", arguments)) for arguments in shown]


def test_every_public_thing_of_a_run_is_documented() -> None:
    inner = {"end", "mirror_to", "note_failure", *dir(ProcessListener)}
    public = {name for name in dir(seamark.Run) if not name.startswith("_")} - inner
    run = seamark.init(mode="disabled")
    public |= {name for name in vars(run) if not name.startswith("_")}
    run.finish()
    assert sorted(name for name in public if not re.search(rf"`run\.{name}\b", RUNS)) == []
    for name in ("log", "alert", "define_metric", "finish", "save", "log_code", "log_artifact", "use_artifact"):
        assert parameters(getattr(seamark.Run, name)) <= set(re.findall(r"\w+", RUNS))


def test_every_variable_and_system_metric_is_documented(tmp_path: Path) -> None:
    for variable in [*settings.VARIABLES.values(), settings.HISTOGRAM_INTERVAL, "SEAMARK_ALL_RANKS"]:
        assert f"`{variable}" in RUNS, variable
    metrics = system_metrics.SystemMetrics(tmp_path)
    for name in metrics.sample():
        if not name.startswith("gpu/"):
            assert f"`system/{name}`" in RUNS, name


def test_every_field_of_the_schema_is_documented() -> None:
    kinds = [kind for kind in vars(run_record).values() if dataclasses.is_dataclass(kind)]
    assert len(kinds) >= 10
    for kind in kinds:
        for field in dataclasses.fields(kind):
            assert (
                f"`{field.name}`" in SCHEMA
                or field.name == "unknown"
                or f"`writer.{field.name}`" in SCHEMA
                or f'"{field.name}"' in SCHEMA
            ), field.name
    assert f'"version": {run_record.VERSION}' in SCHEMA


def test_no_name_on_the_allow_list_is_that_of_a_secret() -> None:
    from seamark.write.run.secrets import redact

    assert [name for name in machine.ENVIRONMENT if redact.is_secret_name(name)] == []


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"batches": [[1, 2], [3, 4]]}
    examples = re.findall(r"```python\n(.*?)```", RUNS, re.DOTALL)
    assert len(examples) == 4
    for file in ("checkpoints/a.pt", "data/clean/train.csv"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text("x")
    exec(examples[0], names)
    names["run"] = seamark.init(quiet=True)
    for example in examples[1:]:
        exec(example, names)
    seamark.finish()
    readme = re.search(
        r"```python\n(import seamark\n.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert readme
    exec(readme[1], {})
    assert len(list((tmp_path / "runs" / "moons").iterdir())) == 2

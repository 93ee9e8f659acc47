"""The events and run.json that a run writes."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seamark
from seamark.write.run.test_support import begin, events, points, stored_record
from seamark.write.test_support import logged_warnings


def test_a_run_has_a_folder_by_project_and_name() -> None:
    run = begin(
        project="moons", name="first", group="g", tags=["a", "b"], notes="n", job_type="train", config={"lr": 0.5}
    )
    assert run.dir == Path("runs/moons/first").absolute()
    assert stored_record(run).status == "running"
    run.log({"loss": 1.0})
    run.finish()
    kept = stored_record(run)
    assert (kept.id, kept.name, kept.project, kept.group, kept.tags, kept.notes) == (
        run.id,
        "first",
        "moons",
        "g",
        ("a", "b"),
        "n",
    )
    assert (kept.status, kept.exit_code, kept.config, kept.summary, kept.last_step) == (
        "finished",
        0,
        {"lr": 0.5},
        {"loss": 1.0},
        0,
    )
    assert kept.ended_at is not None and kept.started_at <= kept.ended_at
    assert kept.packages["numpy"] == np.__version__
    assert kept.python.version == ".".join(map(str, sys.version_info[:3]))
    assert sorted(path.name.split(".")[0] for path in run.dir.iterdir()) == ["events", "run"]


def test_runs_with_the_same_name_have_separate_folders() -> None:
    first, second = begin(name="a/b: ü"), begin(name="a/b: ü")
    assert first.dir.name == "a-b-ü" and second.dir.name.startswith("a-b-ü-")
    assert first.id != second.id and first.name == second.name == "a/b: ü"
    assert stored_record(first).status == "finished", "a second init() ends the first run"


@pytest.mark.parametrize("name", ["..", "../../up", "/etc/x", ".hidden", "a\0b", "x" * 500, "\udcff", "   "])
def test_a_name_never_leads_out_of_the_folder(name: str) -> None:
    run = begin(name=name)
    assert run.dir.resolve().parent == Path("runs").resolve()
    run.finish()
    assert stored_record(run).status == "finished"


def test_steps_count_automatically_and_follow_given_steps() -> None:
    run = begin()
    run.log({"a": 0})
    run.log({"a": 1}, commit=False)
    run.log({"b": 1})
    run.log({"a": 10}, step=10)
    run.log({"b": 10})
    run.log({"a": 20}, step=20, commit=True)
    run.log({"a": 5}, step=5)
    run.log({"a": 21})
    run.finish()
    assert points(run, "a") == [(0, 0), (1, 1), (10, 10), (20, 20), (5, 5), (21, 21)]
    assert points(run, "b") == [(1, 1), (10, 10)]
    assert stored_record(run).last_step == 21


def test_values_of_every_type_become_events(tmp_path: Path) -> None:
    import torch
    from PIL import Image as PilImage

    run = begin()
    PilImage.new("RGB", (4, 3)).save(tmp_path / "x.png")
    run.log({
        "int": 1, "bool": True, "np": np.float32(2), "torch": torch.tensor(3.0), "one": np.array([[4]]), "nan": math.nan, "inf": -math.inf, "none": None,
        "val": {"loss": 5, "deep": {"er": 6.0}}, 7: 8,
        "weights": np.random.default_rng(0).normal(size=100), "grads": torch.ones(5), "list": [1, 2, 3],
        "words": "**bold** <script>", "text": seamark.Text("t"), "html": seamark.Html("<b>x</b>"),
        "pic": seamark.Image(np.zeros((3, 4)), caption="black"), "chw": seamark.Image(torch.rand(3, 5, 6)), "file": seamark.Image(tmp_path / "x.png"),
        "pics": [seamark.Image(np.full((2, 2, 3), level, np.uint8)) for level in (0, 255)], "pil": PilImage.new("L", (2, 2)),
        "hist": seamark.Histogram(np_histogram=np.histogram([1, 2, 2], bins=4)),
        "audio": seamark.Audio(np.sin(np.arange(100) / 5), sample_rate=8000, caption="hum"),
        "video": seamark.Video(np.zeros((3, 3, 4, 6), np.uint8), fps=2, caption="still"), "gif": seamark.Video(b"GIF89a\x02\x00\x01\x00"),
        "table": seamark.Table(columns=["a", "b"], data=[[1, "x|y"], [None, 2.5]]),
    })  # fmt: skip
    run.finish()
    read = events(run)
    assert {tag: read.Scalars(tag)[0].value for tag in ("int", "bool", "np", "torch", "one", "inf", "val/loss", "val/deep/er", "7")} == {
        "int": 1, "bool": 1, "np": 2, "torch": 3, "one": 4, "inf": -math.inf, "val/loss": 5, "val/deep/er": 6, "7": 8,
    }  # fmt: skip
    assert math.isnan(read.Scalars("nan")[0].value)
    tensors = {tag: read.Tensors(tag)[0].tensor_proto for tag in read.Tags()["tensors"]}
    plugins = {tag: read.SummaryMetadata(tag).plugin_data.plugin_name for tag in tensors}
    assert plugins == {
        **dict.fromkeys(["weights", "grads", "list", "hist"], "histograms"),
        **dict.fromkeys(["words", "text", "html", "table", "pic/caption", "video/caption"], "text"),
        **dict.fromkeys(["pic", "chw", "file", "pics", "pil", "gif"], "images"),
        "audio": "audio",
    }
    assert read.Images("video")[0].encoded_image_string.startswith(b"GIF8")
    assert tensors["pics"].string_val[:2] == [b"2", b"2"] and len(tensors["pics"].string_val) == 4
    assert tensors["chw"].string_val[:2] == [b"6", b"5"]
    assert list(tensors["table"].string_val) == [b"**a**", b"**b**", b"1", b"x|y", b"None", b"2.5"]
    assert stored_record(run).summary["nan"] == "NaN"


@pytest.mark.parametrize(
    ("shape", "dataformats", "size"),
    [((3, 5, 6), None, (5, 6)), ((1, 5, 6), None, (5, 6)), ((5, 6, 3), None, (5, 6)), ((3, 6, 4), None, (3, 6)),
     ((4, 6, 3), "CHW", (6, 3)), ((6, 5, 3), "WHC", (5, 6)), ((5, 6), None, (5, 6))],
)  # fmt: skip
def test_the_dimensions_of_a_picture_are_found_where_only_one_order_is_possible(
    shape: tuple[int, ...], dataformats: str | None, size: tuple[int, int]
) -> None:
    picture = seamark.Image(np.zeros(shape), dataformats=dataformats)
    assert picture.pixels is not None and picture.pixels.shape[:2] == size


def test_a_bad_picture_does_not_stop_the_training() -> None:
    run = begin()
    bad = [seamark.Image(np.zeros((5, 6, 7))), seamark.Image("gone.png"), seamark.Image(np.zeros(3))]
    sound, film = seamark.Audio("gone.wav"), seamark.Video(np.zeros((2, 2)))
    bins, page = seamark.Histogram(np_histogram=([1, 2], [0, 1])), seamark.Html("gone.html")
    with logged_warnings() as caught:
        for _ in range(2):
            run.log(
                {
                    "one": bad[0],
                    "file": bad[1],
                    "flat": bad[2],
                    "sound": sound,
                    "film": film,
                    "bins": bins,
                    "page": page,
                }
            )
            run.log({"some": [seamark.Image(np.zeros((2, 2))), *bad], "loss": 1.0})
    run.finish()
    assert len(caught) == 8 and "got shape [5, 6, 7], read as HWC; dataformats='CHW'" in caught[0]
    assert len(points(run, "loss")) == 2 and len(events(run).Tensors("some")) == 2


def test_a_bad_value_is_reported_once_and_the_rest_is_logged() -> None:
    run = begin()
    with logged_warnings("'odd' cannot be logged.*object") as warnings:
        for _ in range(3):
            run.log({"odd": object(), "empty": [], "good": 1})
    run.log([1, 2])  # type: ignore[arg-type]
    run.finish()
    assert [value for _, value in points(run, "good")] == [1, 1, 1]
    assert len([warning for warning in warnings if "'odd'" in warning]) == 1


def test_an_odd_number_or_name_costs_neither_the_other_values_nor_the_step() -> None:
    run = begin()
    with logged_warnings(r"'(huge|\\udc80)' cannot be logged") as warnings:
        for _ in range(2):
            run.log({"huge": 10**400, "\udc80": 1.0, "good": 1.0})
    run.finish()
    assert points(run, "good") == [(0, 1.0), (1, 1.0)]
    assert len(warnings) == 2
    assert "huge" not in run.summary


def test_a_disabled_run_does_everything_and_writes_nothing() -> None:
    with begin(mode="disabled", config={"a": 1}) as run:
        run.log({"x": 1.0})
        run.alert("t")
        run.define_metric("x", summary="max")
        run.config.b = 2
        assert run.config.a == 1 and run.disabled and run.writer is None
        assert run.dir.is_dir()
    assert not Path("runs").exists()


def test_wrong_choices_raise_at_once() -> None:
    for argument in ({"mode": "onlin"}, {"resume": "maybe"}, {"reinit": "x"}, {"console": "all"}):
        with pytest.raises(ValueError, match=next(iter(argument))):
            begin(**argument)
    assert not Path("runs").exists()


def test_the_environment_and_the_settings_file_are_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("seamark.toml").write_text('runs_dir = "logs"\n')
    assert begin(name="a").dir == Path("logs/a").absolute()
    for name, value in {
        "SEAMARK_DIR": "here",
        "SEAMARK_PROJECT": "p",
        "SEAMARK_NAME": "n",
        "SEAMARK_GROUP": "g",
        "SEAMARK_RUN_ID": "i",
    }.items():
        monkeypatch.setenv(name, value)
    run = begin()
    assert (run.dir, run.id, run.group) == (Path("here/p/n").absolute(), "i", "g")
    monkeypatch.setenv("SEAMARK_RESUME", "allow")
    assert begin().resumed
    monkeypatch.setenv("SEAMARK_MODE", "disabled")
    assert begin().disabled


def test_a_run_in_a_bucket_is_not_sent_to_a_team_server_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with logged_warnings() as warnings:
        seamark.init("lab/vision", dir="s3://runs/a", server="http://localhost:1", mode="offline", quiet=True).finish()
    assert ["not sent to the team server" in warning for warning in warnings] == [True]


def test_an_alert_hides_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    run = begin()
    run.alert("api_key='hunter2 hunter2' refused", "Authorization: Basic hunter2")
    run.finish()
    written = b"".join(path.read_bytes() for path in run.dir.iterdir())
    assert b"hunter2" not in written and b"refused" in written and "hunter2" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argument", "environment", "file", "has_commit", "has_diff"),
    [
        (None, "", "", True, True),
        (False, "on", "", False, False),
        ("no-diff", "on", "", True, False),
        (None, "no-diff", "git = true", True, False),
        (None, "off", "", False, False),
        (None, "", "git = false", False, False),
        (None, "", 'git = "no-diff"', True, False),
        (None, "mistyped", "", True, False),
    ],
)
def test_the_git_choice_selects_commit_and_diff(
    argument: Any, environment: str, file: str, has_commit: bool, has_diff: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    Path("train.py").write_text("lr = 1\n")
    for words in (["init", "-q"], ["add", "train.py"], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *identity, *words], check=True, capture_output=True)
    Path("train.py").write_text("lr = 2\n")
    Path("seamark.toml").write_text(file)
    monkeypatch.setenv("SEAMARK_GIT", environment)
    run = begin(git=argument)
    run.finish()
    found = stored_record(run).git
    assert ((found is not None and len(found.commit) == 40), (run.dir / "diff.patch").exists()) == (
        has_commit,
        has_diff,
    )


def test_an_unknown_choice_about_git_is_an_error() -> None:
    with pytest.raises(ValueError, match="'no-diff'"):
        begin(git="diff")


def test_an_alert_is_recorded_logged_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    run = begin()
    run.log({"a": 1})
    run.alert("loss is low", "very", level="WARN")
    run.alert("often", wait_duration=60)
    run.alert("often", wait_duration=60)
    run.alert("often", wait_duration=timedelta(days=1))
    with pytest.raises(ValueError, match="loud"):
        run.alert("x", level="loud")
    run.finish()
    kept = stored_record(run).alerts
    assert [(alert.title, alert.text, alert.level, alert.step) for alert in kept] == [
        ("loss is low", "very", "warn", 1),
        ("often", "", "info", 1),
    ]
    assert "seamark: warn: loss is low: very" in capsys.readouterr().err
    assert len(events(run).Tensors("alerts")) == 2


def test_a_context_records_how_it_ended() -> None:
    with pytest.raises(ZeroDivisionError), begin(name="crash") as run:
        _ = 1 / 0
    kept = stored_record(run)
    assert kept.status == "crashed" and kept.error is not None
    assert kept.error.type == "ZeroDivisionError" and "1 / 0" in kept.error.traceback
    with pytest.raises(KeyboardInterrupt), begin() as run:
        raise KeyboardInterrupt
    assert (stored_record(run).status, stored_record(run).signal) == ("killed", "SIGINT")
    with pytest.raises(SystemExit), begin() as run:
        raise SystemExit(3)
    assert (stored_record(run).status, stored_record(run).exit_code) == ("crashed", 3)
    with begin() as run:
        pass
    assert stored_record(run).status == "finished"


def test_module_functions_use_the_current_run() -> None:
    with pytest.raises(RuntimeError, match=r"seamark\.init"):
        seamark.log({"a": 1})
    run = begin()
    assert seamark.current_run() is run
    seamark.define_metric("a", summary="max")
    for value in (1.0, 3.0, 2.0):
        seamark.log({"a": value})
    seamark.alert("hello")
    seamark.finish()
    assert stored_record(run).summary == {"a": 3.0} and len(stored_record(run).alerts) == 1
    assert seamark.current_run() is None
    with logged_warnings("finished"):
        run.log({"a": 9})
    assert begin(reinit=False).is_live


def test_threads_may_log_at_once() -> None:
    run = begin()
    threads = [threading.Thread(target=lambda n=n: [run.log({f"t{n}": i}) for i in range(200)]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.finish()
    steps = sorted(step for n in range(4) for step, _ in points(run, f"t{n}"))
    assert steps == list(range(800))


def test_a_program_may_change_its_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(name="a")
    monkeypatch.chdir("/")
    run.log({"a": 1.0})
    run.finish()
    assert stored_record(run).status == "finished" and run.dir == tmp_path / "runs" / "a"


def test_run_json_has_the_end_even_if_a_part_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("cannot stop")

    run = begin()
    run.log({"a": 1.0})
    monkeypatch.setattr("seamark.write.run.periodic_tasks.PeriodicTasks.stop", fail)
    run.finish(exit_code=3)
    assert stored_record(run).status == "crashed" and stored_record(run).exit_code == 3
    assert "did not end cleanly" in caplog.text and "cannot stop" in caplog.text


def test_the_end_of_a_run_says_what_it_logged_and_how_to_look_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = begin(name="baseline", quiet=False, dir="my runs")
    run.define_metric("eval/loss", goal="minimize", summary="min")
    for step in range(3):
        run.log({**{f"train/{name}": 1.0 for name in "abcde"}, "eval/loss": 0.123456 + step})
    run.finish()
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("seamark: run 'baseline' finished after ")
    assert "eval/loss 0.1235, train/a 1, train/b 1, train/c 1 and 2 more; " in line
    assert line.endswith("look at it with: seamark --logdir 'my runs'")
    begin(name="silent", quiet=False).finish(quiet=True)
    begin(name="quiet").finish()
    assert "finished" not in capsys.readouterr().err


def test_a_problem_is_printed_to_stderr_without_a_logging_configuration(tmp_path: Path) -> None:
    program = (
        "import seamark\n"
        "run = seamark.init(console=False, git=False, system_metrics_secs=0, quiet=True)\n"
        "for _ in range(3): run.log({'odd': object()})\n"
        "run.finish()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.count("seamark: 'odd' cannot be logged") == 1

"""The demo trains for real and leaves runs that tell a story."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark import cli
from seamark.cli.commands import demo
from seamark.cli.demo.census_run import CENSUS_NAME
from seamark.cli.demo.demo_run import DemoRun
from seamark.cli.demo.embedding_runs import DIGITS_NAME, WORDS_NAME
from seamark.cli.demo.small_gpt import GPT_RECIPES
from seamark.cli.demo.two_moons import RECIPES, Training
from seamark.format import run_record
from seamark.kinds import audio, custom_scalars, graph, histogram, hparams, image, mesh, pr_curve, run_metadata, text
from seamark.store import LogRoot, SeriesInfo, Store

RUN_NAMES = {
    *(recipe.name for recipe in RECIPES),
    *(recipe.name for recipe in GPT_RECIPES),
    DIGITS_NAME,
    WORDS_NAME,
    CENSUS_NAME,
}


def test_the_demo_logs_every_run_and_every_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--logdir", str(tmp_path), "--steps", "120", "--no_serve"]) == 0
    assert f"seamark --logdir '{tmp_path}'" in capsys.readouterr().out
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        assert {run.name for run in store.runs()} == RUN_NAMES
        kinds = {kind for tags in store.tags().values() for kind in tags}
        assert kinds == {
            "scalars", "histograms", "images", "audio", "text", "pr_curves", "mesh", "hparams", "custom_scalars", "graphs",
            "graph_tagged_run_metadata",
        }  # fmt: skip
        assert store.problems() == []
        window = store.scalars([recipe.name for recipe in RECIPES], "train/loss")
        assert window.points.tolist() == [120] * len(RECIPES)
        with_graph = {info.run for info in store.series(kind="graphs")}
        newest = max((run for run in store.runs() if run.name in with_graph), key=lambda run: run.first_wall or 0)
        assert newest.name in {recipe.name for recipe in GPT_RECIPES}, "Graphs begins with the newest graph"


def test_the_demo_ignores_the_settings_of_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The project of other runs is set, and then a demo makes the first runs."""
    settings = {"PROJECT": "lab/vision", "MODE": "disabled", "RUN_ID": "x"}
    for name, value in settings.items():
        monkeypatch.setenv(f"SEAMARK_{name}", value)
    assert cli.main(["demo", "--logdir", str(tmp_path), "--steps", "1", "--no_serve"]) == 0
    assert (tmp_path / "lr0.1" / "seed0" / "run.json").exists()


def test_every_run_remembers_what_it_was_told(tmp_path: Path) -> None:
    assert cli.main(["demo", "--logdir", str(tmp_path), "--steps", "30", "--no_serve"]) == 0
    records = {recipe.name: run_record.loads((tmp_path / recipe.name / "run.json").read_bytes()) for recipe in RECIPES}
    assert {record.status for record in records.values()} == {"finished"}
    assert records["lr0.5/seed1"].config["optim"]["learning_rate"] == 0.5
    assert records["lr0.5/seed1"].tags == ("sweep",)
    assert records["overfits"].config["data"] == {"points": 40, "flipped_labels": 0.2, "batch": 128}
    assert "mislabelled" in records["overfits"].notes
    assert (tmp_path / "overfits" / "console.log").read_text().count("eval accuracy") == 3


def test_the_run_that_diverges_ends_with_an_error(tmp_path: Path) -> None:
    recipe = next(recipe for recipe in RECIPES if recipe.name == "diverges")
    run = DemoRun(tmp_path, Training(recipe, total_steps=2000), histogram_interval=1000)
    for step in range(2000):
        run.train_one_step(step)
    record = run_record.loads((tmp_path / "diverges" / "run.json").read_bytes())
    assert record.status == "crashed"
    assert record.error is not None
    assert record.error.type.endswith("DivergedError")
    assert "smaller learning rate" in record.error.message
    assert record.last_step is not None
    assert record.last_step < 1000


def test_a_second_demo_goes_on_in_the_same_runs_and_a_stopped_one_says_so(tmp_path: Path) -> None:
    ends: list[str] = []
    demo.train(tmp_path, steps=20, duration_secs=0, on_end=lambda: ends.append("trained"))
    demo.train(tmp_path, steps=20, duration_secs=0, is_stopping=lambda: True, on_end=lambda: ends.append("stopped"))
    assert ends == ["trained"]
    record = run_record.loads((tmp_path / "overfits" / "run.json").read_bytes())
    assert [session.status for session in record.sessions] == ["finished", "killed"]
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        assert {run.name for run in store.runs()} == RUN_NAMES


def trained(name: str, steps: int) -> Training:
    recipe = next(recipe for recipe in RECIPES if recipe.name == name)
    training = Training(recipe, total_steps=steps)
    for _ in range(steps):
        training.step()
    return training


def test_a_good_learning_rate_learns() -> None:
    assert trained("lr0.5/seed0", 800).evaluate().accuracy > 0.93


def test_one_run_diverges() -> None:
    assert trained("diverges", 400).has_diverged


def test_one_run_gets_worse_on_what_it_has_not_seen() -> None:
    early, late = trained("overfits", 60), trained("overfits", 2000)
    assert late.evaluate().loss > early.evaluate().loss * 1.2


def test_the_picture_of_a_diverged_run_is_a_picture_still() -> None:
    picture = trained("diverges", 400).picture(8)
    assert picture.shape == (8, 8, 3)
    assert np.isfinite(picture).all()


def test_every_payload_of_every_run_can_be_decoded(tmp_path: Path) -> None:
    assert (
        cli.main(["demo", "--logdir", str(tmp_path), "--steps", "150", "--no_serve", "--histogram_interval", "50"]) == 0
    )
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        for series in store.series():
            if series.kind != "scalars":
                listed = store.payloads(series.run, series.tag, series.kind)
                data = store.payload(series.run, series.tag, series.kind, int(listed.index[-1]))
                assert decoded(series, data) is not None
        assert store.payloads("diverges", "weights/hidden", "histograms").steps.tolist()[:3] == [0, 50, 100]


def decoded(series: SeriesInfo, data: bytes) -> object:
    module = {"images": image, "audio": audio, "text": text, "histograms": histogram, "pr_curves": pr_curve}.get(
        series.kind
    )
    if module is not None:
        return module.decode(data)
    if series.kind in ("mesh", "hparams"):
        return {"mesh": mesh, "hparams": hparams}[series.kind].decode(data, series.metadata)
    if series.kind == "graph_tagged_run_metadata":
        return run_metadata.decode_tagged(data)
    return {"graphs": graph, "custom_scalars": custom_scalars}[series.kind].decode(data)


def test_settings_in_a_file_do_not_send_the_demo_into_somebodys_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seamark.toml").write_text('runs_dir = "precious"\nhistogram_interval = 7')
    args = cli.parsed(cli.parser_of("demo", demo), [])
    assert (args.folder, args.histogram_interval) == (Path("runs/demo"), 7)

"""Makes the stores in tests/porting/stores/ with the real libraries. Run it with a Python that has them:

    pip install aim mlflow wandb pillow
    python tests/porting/make_stores.py tests/porting/stores [mlruns mlflowdb wandb aim]

`expected.json` in each of them holds what the library itself reads back.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

# What every library logs: numbers that float32 cannot hold, steps with gaps, a NaN and infinities.
LOSS = [(step, 1.0 / (step + 3)) for step in (0, 1, 2, 10, 1_000_000)]
ODD = [(0, math.nan), (5, math.inf), (7, -math.inf), (9, 1e-300)]
PARAMS: dict[str, Any] = {"lr": 0.001, "depth": 12, "model": {"name": "résnet <b>", "bias": True}}
NOTES = "the *first* try\nwith two lines"


def picture(shade: int) -> np.ndarray:
    pixels = np.zeros((4, 6, 3), np.uint8)
    pixels[:, :, 1] = shade
    return pixels


def make_mlflow(folder: Path, *, uri: str) -> None:
    import mlflow

    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    mlflow.set_tracking_uri(uri)
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("moons", artifact_location=str(folder / "artifacts")))
    with mlflow.start_run(run_name="first") as run:
        mlflow.log_params({"lr": 0.001, "depth": 12, "name": "résnet <b>", "bias": True})
        mlflow.set_tags({"team": "harbour: a", "mlflow.note.content": NOTES, "mlflow.source.name": "train.py"})
        for step, value in LOSS:
            mlflow.log_metric("train/loss", value, step=step)
        for step, value in ODD:
            mlflow.log_metric("odd", value, step=step)
        mlflow.log_image(picture(80), key="seen", step=3)
        mlflow.log_image(picture(90), "plain.png")
        print("mlflow", run.info.run_id)
    with mlflow.start_run(run_name="first"):  # names are not unique there
        mlflow.log_metric("train/loss", 0.5, step=1)
    try:
        with mlflow.start_run(run_name="failed"):
            mlflow.log_metric("train/loss", 0.25, step=1)
            raise RuntimeError("diverged")
    except RuntimeError:
        pass
    with mlflow.start_run(run_name="thrown away") as run:
        mlflow.log_metric("train/loss", 9.0, step=1)
    mlflow.delete_run(run.info.run_id)


def make_wandb(folder: Path) -> None:
    os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", WANDB_DIR=str(folder), WANDB_ERROR_REPORTING="false")
    import wandb

    settings = wandb.Settings(
        x_stats_sampling_interval=0.2,
        x_disable_meta=True,
        host="host",
        console="off",
        save_code=False,
        disable_git=True,
    )
    run = wandb.init(
        project="moons", name="first", id="abc123", tags=["a", "b"], notes=NOTES, config=PARAMS, settings=settings
    )
    for step, value in LOSS:
        run.log({"train/loss": value}, step=step)
    run.log({"after": {"deep": 2.5}, "word": "text"}, step=1_000_001)
    for at, (_, value) in enumerate(ODD):
        run.log({"odd": value}, step=1_000_010 + at)
    run.log({"seen": wandb.Image(picture(80), caption="green")}, step=1_000_020)
    run.log({"several": [wandb.Image(picture(90)), wandb.Image(picture(91))]}, step=1_000_021)
    run.log({"weights": wandb.Histogram([1.0, 2.0, 2.0, 4.0], num_bins=3)}, step=1_000_022)
    # Longer than a block of the log, so that a record is split.
    run.log({f"wide/{number:04d}": number / 7 for number in range(600)}, step=1_000_030)
    run.config.update({"late": "yes"})
    run.finish()
    wandb.teardown()  # only then is all of it on disk


def make_aim(folder: Path) -> None:
    from aim import Distribution, Image, Repo, Run, Text

    Repo.from_path(str(folder), init=True)
    run = Run(repo=str(folder), experiment="moons", system_tracking_interval=None, capture_terminal_logs=False)
    run.name = "first"
    run.description = NOTES
    run.add_tag("a")
    run["hparams"] = PARAMS
    for step, value in LOSS:
        run.track(value, name="loss", step=step, context={"subset": "train"})
    for step, value in ODD:
        run.track(value, name="odd", step=step)
    run.track(Image(picture(80), caption="green"), name="seen", step=3)
    run.track(Text("hello <b>"), name="words", step=1)
    run.track(Distribution(np.array([1.0, 2.0, 2.0, 4.0]), bin_count=3), name="weights", step=2)
    run.close()


def read_mlflow(uri: str) -> dict[str, Any]:
    from mlflow import MlflowClient

    client = MlflowClient(uri)
    found = {}
    for run in client.search_runs([experiment.experiment_id for experiment in client.search_experiments()]):
        found[run.info.run_id] = {
            "name": run.info.run_name,
            "start": run.info.start_time / 1000,
            "params": run.data.params,
            "tags": run.data.tags,
            "scalars": {
                key: [
                    (one.step, one.timestamp / 1000, one.value)
                    for one in client.get_metric_history(run.info.run_id, key)
                ]
                for key in run.data.metrics
            },
        }
    return found


def read_wandb(folder: Path) -> dict[str, Any]:
    """W&B has no reader of its own for runs that were never uploaded: its messages, framed by hand."""
    import struct

    from wandb.proto.wandb_internal_pb2 import Record

    scalars: dict[str, list[Any]] = {}
    [path] = folder.glob("wandb/offline-run-*/run-*.wandb")
    content, at, pending = path.read_bytes(), 7, b""
    while at + 7 <= len(content):
        if 32768 - at % 32768 < 7:
            at += 32768 - at % 32768
            continue
        length, kind = struct.unpack_from("<HB", content, at + 4)
        pending += content[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):
            history = Record.FromString(pending).history
            row = {".".join(item.nested_key): json.loads(item.value_json) for item in history.item}
            for key, value in row.items():
                if not key.startswith("_") and isinstance(value, int | float) and key.split(".")[0] != "several":
                    scalars.setdefault(key, []).append((row["_step"], row["_timestamp"], value))
            pending = b""
    return {
        "abc123": {"name": "first", "scalars": {key: scalars[key] for key in scalars if key.split(".")[0] != "seen"}}
    }


def read_aim(folder: Path) -> dict[str, Any]:
    from aim import Repo

    repo = Repo(str(folder))
    repo._recreate_index()
    found = {}
    for run in repo.iter_runs():
        scalars = {
            f"{metric.name} {metric.context.to_dict()}": [
                (step, wall, value) for step, (value, _, wall) in metric.data.items()
            ]
            for metric in run.metrics()
        }
        found[run.hash] = {"name": run.name, "start": run.creation_time, "params": run["hparams"], "scalars": scalars}
    return found


def main(target: Path, wanted: set[str]) -> None:
    import tarfile
    import tempfile
    import warnings

    warnings.simplefilter("ignore")
    os.environ.update(LOGNAME="somebody", USER="somebody", USERNAME="somebody")
    target.mkdir(parents=True, exist_ok=True)
    for name in sorted(wanted):
        # A name that says nothing about the machine: stores hold the paths they were made at.
        folder = Path(tempfile.gettempdir()) / "stores" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        os.chdir(folder)
        if name in ("mlruns", "mlflowdb"):
            uri = f"file:{folder}/mlruns" if name == "mlruns" else f"sqlite:///{folder}/mlflow.db"
            make_mlflow(folder, uri=uri)
            expected = read_mlflow(uri)
        elif name == "wandb":
            make_wandb(folder)
            expected = read_wandb(folder)
        else:
            make_aim(folder)
            shutil.copytree(folder, f"{folder}-copy", dirs_exist_ok=True)
            expected = read_aim(Path(f"{folder}-copy"))
        (folder / "expected.json").write_text(json.dumps(expected, indent=1))
        with tarfile.open(target / f"{name}.tar.gz", "w:gz") as packed:
            packed.add(folder, arcname=name, filter=anonymous)
        print(name, (target / f"{name}.tar.gz").stat().st_size, "bytes")


def anonymous(entry: Any) -> Any:
    """Without the names of people, and without links, which lead to where the store was made."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return None if entry.issym() or "/logs" in entry.name else entry


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), set(sys.argv[2:]) or {"mlruns", "mlflowdb", "wandb", "aim"})

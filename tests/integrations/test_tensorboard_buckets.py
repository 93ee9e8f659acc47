"""TensorBoard reads what a writer sent to a bucket, by itself: its own S3 file system, which needs boto3."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("boto3", reason="run it with `make test-integrations`")

from tensorboard.backend.event_processing.event_multiplexer import EventMultiplexer

from seamark import SummaryWriter
from tools.s3_server import BUCKET, SERVERS, S3Server, missing_s3_server, s3_server

EVERYTHING = {"scalars": 0, "images": 0, "histograms": 0, "tensors": 0}


@pytest.fixture(scope="module", params=sorted(SERVERS))
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if missing_s3_server(request.param):
        pytest.skip(missing_s3_server(request.param))
    with s3_server(tmp_path_factory.mktemp("s3"), request.param) as started:
        yield started


@pytest.fixture(autouse=True)
def environment(server: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # TensorBoard asks for a variable of its own.
    for name, value in {**server.environment, "S3_ENDPOINT": server.endpoint}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def write(logdir: str, *, closes: bool) -> None:
    """The same calls for both; `closes` makes parts, as the age of a part does in a long training."""
    writer = SummaryWriter(logdir)
    random = np.random.default_rng(7)
    for step in range(60):
        writer.add_scalar("loss", float(random.random()), step, walltime=1.7e9 + step)
        if step % 10 == 0:
            writer.add_histogram("weights", random.standard_normal(100), step, walltime=1.7e9 + step)
            image = random.integers(0, 255, (8, 8, 3), dtype=np.uint8)
            writer.add_image("noise", image, step, walltime=1.7e9 + step, dataformats="HWC")
        if closes and step % 20 == 19:
            writer.close()
    writer.close()


def read(logdir: str) -> dict[str, dict[str, list[object]]]:
    multiplexer = EventMultiplexer(size_guidance=EVERYTHING)
    multiplexer.AddRunsFromDirectory(logdir)
    multiplexer.Reload()
    found: dict[str, dict[str, list[object]]] = {}
    for run, tags in multiplexer.Runs().items():
        accumulator = multiplexer.GetAccumulator(run)
        found[run] = {tag: list(accumulator.Scalars(tag)) for tag in tags["scalars"]}
        found[run] |= {tag: list(accumulator.Histograms(tag)) for tag in tags["histograms"]}
        found[run] |= {tag: list(accumulator.Images(tag)) for tag in tags["images"]}
        found[run] |= {tag: list(accumulator.Tensors(tag)) for tag in tags["tensors"]}
    return found


def test_tensorboard_reads_the_same_from_the_bucket_and_from_a_folder(server: S3Server, tmp_path: Path) -> None:
    write(f"s3://{BUCKET}/differential/run", closes=True)
    write(str(tmp_path / "logs" / "run"), closes=False)
    ours, plain = read(f"s3://{BUCKET}/differential"), read(str(tmp_path / "logs"))
    assert set(plain["run"]) == {"loss", "weights", "noise"}
    assert len(plain["run"]["loss"]) == 60
    assert ours == plain

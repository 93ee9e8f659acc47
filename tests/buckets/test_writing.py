"""Writers whose folder is in a bucket, with real S3 servers: SeaweedFS and moto."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import seamark
from seamark import SummaryWriter
from seamark.cli import main
from seamark.upload import bucket_upload
from tests.buckets.bucket import Bucket
from tools.fault_proxy import SLOW_DOWN, Answer

WAIT_SECS = 60


def spooled(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "data").rglob("*tfevents*") if path.is_file()]


def steps_in(bucket: Bucket) -> list[int]:
    runs = seamark.open(bucket.address)
    return runs["run"].scalars("loss").step.tolist() if len(runs) == 1 else []


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_a_writer_sends_parts_that_read_as_one_run(bucket: Bucket, tmp_path: Path) -> None:
    writer = SummaryWriter(f"{bucket.address}/run")
    for first in range(0, 300, 100):
        for step in range(first, first + 100):
            writer.add_scalar("loss", float(step), step)
        writer.close()  # sends a part; later calls go on
    assert writer.get_logdir() == f"{bucket.address}/run"
    assert steps_in(bucket) == list(range(300))
    objects = bucket.objects()
    assert len(objects) >= 3
    for name, data in objects.items():  # what TensorBoard reads
        target = tmp_path / "downloaded" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    accumulator = EventAccumulator(str(tmp_path / "downloaded" / "run"), size_guidance={"scalars": 0})
    accumulator.Reload()
    assert [event.step for event in accumulator.Scalars("loss")] == list(range(300))


def test_a_lost_network_only_delays(bucket: Bucket) -> None:
    writer = SummaryWriter(f"{bucket.address}/run")
    for step in range(50):
        writer.add_scalar("loss", float(step), step)
    writer.close()
    bucket.proxy.stop()
    for step in range(50, 100):
        writer.add_scalar("loss", float(step), step)
    writer.add_scalar("loss", 100.0, 100)
    writer.flush()
    bucket.proxy.start()
    writer.close()
    wait_for(lambda: steps_in(bucket) == list(range(101)))


def test_close_waits_briefly_for_a_bucket_that_is_away(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_upload, "FINISH_SECS", 2.0)
    bucket.proxy.fault = lambda seen: Answer(503, SLOW_DOWN)
    writer = SummaryWriter(f"{bucket.address}/run")
    writer.add_scalar("loss", 0.0, 0)
    writer.close()
    writer.add_scalar("loss", 1.0, 1)
    writer.flush()  # not of the bucket
    writer.close()  # the bucket is away until it returns
    bucket.proxy.fault = lambda seen: None
    wait_for(lambda: steps_in(bucket) == [0, 1])


def test_a_rate_limit_only_delays(bucket: Bucket, caplog: pytest.LogCaptureFixture) -> None:
    bucket.proxy.fault = lambda seen: Answer(503, SLOW_DOWN) if len(bucket.proxy.seen) < 4 else None
    writer = SummaryWriter(f"{bucket.address}/run")
    writer.add_scalar("loss", 0.0, 0)
    writer.close()
    wait_for(lambda: steps_in(bucket) == [0])
    warnings = [record.message for record in caplog.records if "bucket cannot be written" in record.message]
    assert len(warnings) == 1 and "(it asks for fewer requests)" in warnings[0]


def kill_while_away(bucket: Bucket, *, run: str, steps: int) -> None:
    """A program that writes while the network is lost, and is killed."""
    code = (
        f"import os, signal\nfrom seamark import SummaryWriter\nwriter = SummaryWriter('{bucket.address}/{run}')\n"
        f"for step in range({steps}): writer.add_scalar('loss', float(step), step)\n"
        "writer.flush()\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    bucket.proxy.stop()
    ended = subprocess.run([sys.executable, "-c", code], check=False, env=dict(os.environ))
    assert ended.returncode == -signal.SIGKILL
    bucket.proxy.start()


def test_push_sends_what_a_killed_program_left(bucket: Bucket, tmp_path: Path) -> None:
    kill_while_away(bucket, run="run", steps=50)
    assert len(spooled(tmp_path)) == 1
    assert main(["push"]) == 0
    assert steps_in(bucket) == list(range(50))
    assert spooled(tmp_path) == []


def test_the_next_start_sends_what_a_killed_program_left(bucket: Bucket, tmp_path: Path) -> None:
    kill_while_away(bucket, run="run", steps=50)
    # As a training that is started again, from a checkpoint of step 50.
    writer = SummaryWriter(f"{bucket.address}/run")
    for step in range(50, 60):
        writer.add_scalar("loss", float(step), step)
    writer.close()
    wait_for(lambda: steps_in(bucket) == list(range(60)))
    wait_for(lambda: len(spooled(tmp_path)) == 1)  # its own


def test_a_run_for_another_bucket_stays_in_the_spool(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket_upload, "FINISH_SECS", 2.0)
    kill_while_away(bucket, run="run", steps=5)
    (file,) = spooled(tmp_path)
    writer = SummaryWriter("s3://elsewhere/run")
    writer.add_scalar("loss", 1.0, 1)
    writer.close()
    assert file.exists()


def test_init_writes_to_a_bucket(bucket: Bucket, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = seamark.init(dir=bucket.address, project="Digits", name="first", config={"lr": 0.1})
    for step in range(20):
        run.log({"loss": 1 / (step + 1)}, step=step)
    run.finish()
    told = capsys.readouterr().err
    assert f"starts: {bucket.address}/Digits/first" in told and f"--logdir {bucket.address}/Digits" in told
    assert "spool" not in told
    found = seamark.open(bucket.address)
    assert [each.name for each in found] == ["Digits/first"]
    assert found["Digits/first"].params["lr"] == 0.1
    assert found["Digits/first"].scalars("loss").step.tolist() == list(range(20))
    assert spooled(tmp_path) == []

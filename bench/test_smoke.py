"""Runs the smallest part of the benchmark on small data; test_bench.py runs all parts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.scale import check_disk

REPOSITORY = Path(__file__).resolve().parents[1]


def quick_run(data_dir: Path, *parts: str) -> subprocess.CompletedProcess[str]:
    flags = ["--quick", f"--data_dir={data_dir}", f"--output={data_dir / 'results.md'}", "--parts", *parts]
    ran = subprocess.run([sys.executable, "-m", "bench", *flags], cwd=REPOSITORY, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran


@pytest.mark.timed
@pytest.mark.timeout(300)
def test_a_quick_run_of_the_smallest_part_writes_its_lines(tmp_path: Path) -> None:
    quick_run(tmp_path, "readback")
    assert "| the same with an index" in (tmp_path / "results.md").read_text()


def test_points_that_do_not_fit_on_the_disk_are_rejected_before_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "part").write_bytes(bytes(100))  # of an earlier run, which goes on
    check_disk(tmp_path, 1_000)
    with pytest.raises(SystemExit, match=r"points take up to 20,000,000 GB, and .* GB are free; give another"):
        check_disk(tmp_path, 10**15)

"""Secrets from the environment, command line, remote, diff and configuration are not written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SECRET = "hunter2hunter2"


def test_secrets_are_not_written(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    (tmp_path / "train.py").write_text("import sys, seamark\nkey = None\n")
    git("add", "train.py")
    git("commit", "-q", "-m", "x", "--no-gpg-sign")
    git("remote", "add", "origin", f"https://user:{SECRET}@example.org/x.git")
    (tmp_path / "train.py").write_text(f"""
import argparse, seamark
parser = argparse.ArgumentParser()
parser.add_argument("--api-key"), parser.add_argument("--lr", type=float)
run = seamark.init(name="run", dir="runs", config=parser.parse_args(), quiet=True, console=False, system_metrics_secs=0)
password = "{SECRET}"
run.log({{"loss": 1.0}})
raise RuntimeError("cannot reach https://user:{SECRET}@example.org/")
""")
    hidden = {
        "OPENAI_API_KEY": SECRET,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "HOME_PAGE": SECRET,
        "SLURM_JOB_ID": "77",
        "RANK": "0",
    }
    command = [sys.executable, "train.py", "--api-key", SECRET, "--lr", "0.5"]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **hidden}, capture_output=True, check=False)
    folder = tmp_path / "runs" / "run"
    record = json.loads((folder / "run.json").read_text())
    assert record["git"]["remote"] == "https://example.org/x.git" and record["git"]["dirty"]
    assert record["config"] == {"api_key": "[hidden]", "lr": 0.5}
    assert record["environment"]["SLURM_JOB_ID"] == "77" and "OPENAI_API_KEY" not in record["environment"]
    assert record["status"] == "crashed" and record["command"][-4:] == ["--api-key", "[hidden]", "--lr", "0.5"]
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert "diff.patch" in written
    assert [name for name, data in written.items() if SECRET.encode() in data] == []

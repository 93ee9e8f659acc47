"""Typical runs for the pages of runs, each logged by its own program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# A small training: config, console, machine, pictures, an alert, files; and an error on request.
PROGRAM = """
import sys, time
import numpy as np
import seamark

root, name, rate, steps, wants_crash = *sys.argv[1:3], float(sys.argv[3]), int(sys.argv[4]), sys.argv[5] == "crash"
config = {
    "model": {"name": "net", "hidden": 32 if rate < 0.02 else 64},
    "optim": {"lr": rate, "betas": [0.9, 0.95]},
    "data": {f"key{i}": i for i in range(5)},
    "title": "<script>window.hacked = 1</script>",
}
config["ema" if rate < 0.02 else "clip"] = 0.5
run = seamark.init(
    "sweep", name=name, dir=root, config=config, tags=["base", "<b>bold</b>"], quiet=True, system_metrics_secs=60,
    notes="**Bold** plan <script>window.hacked = 1</script>",
)
run.define_metric("val/accuracy", goal="maximize")
noise = np.random.default_rng(int(rate * 1000))
print(f"training {name}")
for step in range(steps):
    loss = 2 * np.exp(-step * rate) + 0.3 + noise.normal() * 0.02
    run.log({"train/loss": float(loss), "val/accuracy": float(1 - loss / 3), "lr": rate}, step=step)
    if step % 20 == 0:
        run.writer.add_image("val/picture", np.full((3, 8, 8), step / steps), step)
        print(f"eval at step {step}: <script>window.hacked = 1</script>")
    print(f"step {step} loss {loss:.4f}")
while run._recorder._system is None:
    time.sleep(0.01)
run._recorder._sample()
run.alert("Loss jumped", "from **0.5** <img src=x onerror='window.hacked=1'>", level="warn")
(run.dir / "result.md").write_text("# Result\\n<script>window.hacked = 1</script>\\n")
if wants_crash:
    raise ValueError("bad <script>window.hacked = 1</script> batch")
run.finish()
"""


def make_run(
    root: Path, name: str, *, rate: float, steps: int = 100, crashes: bool = False, cwd: Path | None = None
) -> None:
    root.mkdir(parents=True, exist_ok=True)
    program = root.parent / "train.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(root), name, str(rate), str(steps), "crash" if crashes else "no"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd or root, check=False)
    assert done.returncode == (1 if crashes else 0), done.stderr


def make_repository(folder: Path) -> None:
    """A folder under git with a change that was not committed."""
    folder.mkdir(parents=True)
    (folder / "model.py").write_text("hidden = 32\n")
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], [*identity, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, timeout=60)
    (folder / "model.py").write_text("hidden = 64\n")

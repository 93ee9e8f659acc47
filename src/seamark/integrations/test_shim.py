"""The shim, in interpreters of their own: with TensorBoard, and in an environment that has torch but no TensorBoard."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PTH = ROOT / "src" / "seamark_shim.pth"
HIDDEN = ("tensorboard", "tensorflow")
OURS = ("_editable_skbc_seamark.pth", "seamark_shim.pth")

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment made of links to all that is installed here, except TensorBoard and tensorboardX."""
    place = tmp_path_factory.mktemp("bare")
    venv.create(place, with_pip=False, symlinks=True)
    own = Path(sysconfig.get_path("purelib", "venv", {"base": str(place), "platbase": str(place)}))
    for folder in (Path(path) for path in sys.path if path.endswith("site-packages")):
        for entry in folder.iterdir():
            is_wanted = not entry.name.lower().startswith(HIDDEN) and (entry.suffix != ".pth" or entry.name in OURS)
            if is_wanted and not (own / entry.name).exists():
                (own / entry.name).symlink_to(entry)
    if not (own / PTH.name).exists():  # installed before there was one
        (own / PTH.name).symlink_to(PTH)
    return place / "bin" / "python"


def run(python: Path | str, program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("SEAMARK_SHIM", "PYTHONPATH")}
    return subprocess.run(
        [str(python), "-c", program], env={**environment, **variables}, capture_output=True, text=True
    )


def checked(python: Path | str, program: str, **variables: str) -> str:
    answer = run(python, program, **variables)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


LOGS = """
from torch.utils.tensorboard import SummaryWriter
import seamark
assert issubclass(SummaryWriter, seamark.SummaryWriter)
with SummaryWriter({folder!r}) as writer:
    writer.add_scalar("loss", 0.5, 3)
"""


def values(folder: Path) -> list[tuple[str, int, float]]:
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    events = [event for path in folder.iterdir() for event in loader.LegacyEventFileLoader(str(path)).Load()]
    return [(value.tag, event.step, value.simple_value) for event in events for value in event.summary.value]


def hparams(folder: Path) -> dict[str, object]:
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    from tensorboard.plugins.hparams import plugin_data_pb2

    events = [event for path in folder.iterdir() for event in loader.LegacyEventFileLoader(str(path)).Load()]
    data = {value.tag: value.metadata.plugin_data.content for event in events for value in event.summary.value}
    start = plugin_data_pb2.HParamsPluginData.FromString(data["_hparams_/session_start_info"]).session_start_info
    return {name: getattr(value, value.WhichOneof("kind")) for name, value in start.hparams.items()}


@needs_torch
def test_without_the_shim_torchs_writer_wants_tensorboard(bare: Path) -> None:
    answer = run(bare, "from torch.utils.tensorboard import SummaryWriter")
    assert "No module named 'tensorboard'" in answer.stderr


@needs_torch
def test_asked_for_in_the_environment_untouched_code_logs_without_tensorboard(bare: Path, tmp_path: Path) -> None:
    checked(bare, LOGS.format(folder=str(tmp_path)), SEAMARK_SHIM="1")
    assert values(tmp_path) == [("loss", 3, 0.5)]


@needs_torch
@pytest.mark.parametrize("value", ["0", ""])
def test_switched_off_in_the_environment_it_is_off(bare: Path, value: str) -> None:
    assert run(bare, "import torch.utils.tensorboard", SEAMARK_SHIM=value).returncode == 1


@needs_torch
def test_every_way_to_import_it_finds_the_same(bare: Path, tmp_path: Path) -> None:
    checked(
        bare,
        f"""
import importlib.util, seamark
seamark.install_shim()
seamark.install_shim()
assert importlib.util.find_spec("tensorboardX") and not importlib.util.find_spec("tensorboard")
import torch.utils.tensorboard
import torch.utils.tensorboard as tb
from torch.utils import tensorboard
from torch.utils.tensorboard.writer import SummaryWriter, FileWriter
from tensorboardX import SummaryWriter as X, RecordWriter
assert torch.utils.tensorboard.SummaryWriter is tb.SummaryWriter is tensorboard.SummaryWriter is SummaryWriter is X
from torch.utils.tensorboard import *
try:
    from tensorboardX import TorchVis
except ImportError as error:
    assert "TorchVis" in str(error)
# As Lightning and Stable-Baselines3 write hyperparameters.
from torch.utils.tensorboard.summary import hparams
with SummaryWriter({str(tmp_path)!r}) as writer:
    for summary in hparams({{"rate": 0.1, "name": "line", "on": True}}, {{"loss": 1.0}}):
        writer.file_writer.add_summary(summary)
        writer._get_file_writer().flush()
    assert writer.file_writer.get_logdir() == writer.log_dir and list(writer.all_writers) == [writer.log_dir]
""",
    )
    assert hparams(tmp_path) == {"rate": 0.1, "name": "line", "on": True}


@needs_torch
def test_an_installed_tensorboard_is_hidden_while_the_shim_is_on_and_back_afterwards() -> None:
    pytest.importorskip("tensorboardX")
    checked(
        sys.executable,
        """
import seamark, torch.utils.tensorboard, tensorboardX
from seamark.integrations.shim import uninstall_shim
theirs = torch.utils.tensorboard.SummaryWriter
seamark.install_shim(tensorboardX=False)
from torch.utils.tensorboard import SummaryWriter
assert issubclass(SummaryWriter, seamark.SummaryWriter) and torch.utils.tensorboard.SummaryWriter is SummaryWriter
# What is not replaced is found where torch keeps it.
import torch.utils.tensorboard._convert_np
from tensorboardX import SummaryWriter as X
assert not issubclass(X, seamark.SummaryWriter)
uninstall_shim()
from torch.utils.tensorboard import SummaryWriter
assert SummaryWriter.__module__ == theirs.__module__ == "torch.utils.tensorboard.writer"
assert not issubclass(SummaryWriter, seamark.SummaryWriter)
""",
    )


def test_an_interpreter_that_is_not_asked_pays_nothing_and_one_that_is_little(bare: Path) -> None:
    loaded = (
        "import sys; print([name for name in ('seamark', 'numpy', 'torch', 'google.protobuf') if name in sys.modules])"
    )
    assert checked(bare, loaded) == "[]\n"
    assert checked(bare, loaded, SEAMARK_SHIM="1") == "['seamark']\n"


def test_records_are_framed_as_tensorboard_frames_them(tmp_path: Path) -> None:
    theirs = pytest.importorskip("tensorboard.summary.writer.record_writer").RecordWriter
    from seamark.write.writer.file_writer import RecordWriter

    for name, kind in (("ours", RecordWriter), ("theirs", theirs)):
        writer = kind((tmp_path / name).open("wb"))
        for record in (b"", b"one", bytes(1000)):
            writer.write(record)
        writer.flush()
        writer.close()
        assert writer.closed
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()

"""How long models in processes of their own live: cancelled, shared, loaded again, ended with the server."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.examples.form import ExampleSet
from seamark.examples.predict.cancel import CancelledError, cancelled_by
from seamark.examples.predict.conftest import (
    ALL,
    HANGS,
    LOGISTIC,
    OpenModel,
    is_running,
    make_set,
    pid_of,
    wait_until,
    x_of,
)
from seamark.examples.predict.live_model import LiveModel

pytestmark = pytest.mark.timed


@pytest.mark.parametrize("hang", ["time.sleep(1000)", "os.system('kill -STOP ' + str(os.getpid()))"])
def test_a_long_call_can_be_cancelled(hang: str, open_model: OpenModel, tmp_path: Path) -> None:
    model = open_model(HANGS.format(hang=hang))
    model.predict(ALL)
    first = pid_of(model)
    (tmp_path / "hang").touch()
    event = threading.Event()
    caught: list[BaseException] = []

    def call() -> None:
        try:
            with cancelled_by(event):
                model.predict(ALL)
        except CancelledError as error:
            caught.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    wait_until((tmp_path / "child").exists)
    (tmp_path / "hang").unlink()
    event.set()
    thread.join(30)
    assert len(caught) == 1
    assert (model.predict(ALL).scores == 0).all()
    # One that sleeps is interrupted and lives on; one that does not react is replaced.
    assert (pid_of(model) == first) == hang.startswith("time")


def test_calls_of_several_threads_take_turns(open_model: OpenModel, examples: ExampleSet) -> None:
    model = open_model(LOGISTIC)
    results: dict[int, float] = {}

    def call(row: int) -> None:
        results[row] = float(model.predict(np.array([row])).scores[0])

    threads = [threading.Thread(target=call, args=(row,)) for row in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    expected = 1 / (1 + np.exp(-x_of(examples)))
    assert results == pytest.approx({row: expected[row] for row in range(20)})


def test_a_changed_file_is_loaded_again_also_one_that_it_imports(open_model: OpenModel, tmp_path: Path) -> None:
    (tmp_path / "weights.py").write_text("FACTOR = 1")
    model = open_model("""
        import weights

        def predict(columns):
            return columns["x"] * 0 + weights.FACTOR / 10

        predict.seamark_input = "columns"
    """)
    backend: Any = model._backend
    assert model.predict(ALL).scores[0] == 0.1 and backend.version == 0
    (tmp_path / "weights.py").write_text("FACTOR = 22")
    assert backend.version == 1
    assert model.predict(ALL).scores[0] == 2.2


def test_several_sets_share_a_process(open_model: OpenModel, examples: ExampleSet) -> None:
    model = open_model(LOGISTIC)
    expected = model.predict(ALL).scores
    pid = pid_of(model)
    for number in range(6):
        other = LiveModel(model._backend, make_set(content_id=f"set {number}"))
        np.testing.assert_array_equal(other.predict(ALL).scores, expected)
    np.testing.assert_array_equal(model.predict(ALL).scores, expected)  # its table was dropped and is sent again
    assert pid_of(model) == pid


SERVER = """
import sys, threading
import numpy as np
from seamark.examples.predict.conftest import make_set
from seamark.examples.predict.process_backend import Limits, ProcessBackend
from seamark.examples.predict.spec import parse_model

backend = ProcessBackend(parse_model(sys.argv[1]), Limits())
backend.raw_scores(make_set(), np.arange(3))
print(backend._process.pid, flush=True)
open("hang", "w").close()
backend.raw_scores(make_set(), np.arange(3))
"""
NEVER_LETS_GO = r"import re; re.match(r'(a+)+$', 'a' * 60 + '!')"


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("hang", ["time.sleep(1000)", NEVER_LETS_GO])
def test_it_ends_with_the_server_even_in_the_middle_of_a_call(
    ending: signal.Signals, hang: str, tmp_path: Path
) -> None:
    model = tmp_path / "model.py"
    model.write_text(textwrap.dedent(HANGS.format(hang=hang)))
    command = [sys.executable, "-c", SERVER, f"{model}:predict"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        wait_until((tmp_path / "child").exists)
        assert is_running(pid)
        server.send_signal(ending)
    child = int((tmp_path / "child").read_text())
    wait_until(lambda: not is_running(pid) and not is_running(child))

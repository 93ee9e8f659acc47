"""Programs that train while a team server takes their runs, is away, or sees them killed."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import seamark
from tools.team_folder import PROJECT, create_team

from .upload_server import Served, served_team

pytestmark = pytest.mark.timed
DEADLINE_SECS = 100

TRAINING = """
import os, sys, time
import seamark
run = seamark.init(name=sys.argv[1], system_metrics_secs=0, git=False, quiet="LOUD" not in os.environ)
for step in range(int(sys.argv[2])):
    run.log({"loss": step / 7}, step=step)
print("logged", flush=True)
if len(sys.argv) > 3:
    run.writer.flush()
    print("waiting", flush=True)
    sys.stdin.readline()
started = time.monotonic()
run.finish()
print(f"finished {time.monotonic() - started:.1f}", flush=True)
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_team(tmp_path_factory.mktemp("team") / "server") as server:
        yield server


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with folders of its own, so that no test sees the spool of another."""
    folders = {"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache", "HOME": "home"}
    own = {name: str(tmp_path / folder) for name, folder in folders.items()}
    return {key: value for key, value in os.environ.items() if not key.startswith("SEAMARK_")} | own


def environment(home: dict[str, str], url: str, token: str) -> dict[str, str]:
    return {**home, "SEAMARK_SERVER": url, "SEAMARK_TOKEN": token, "SEAMARK_PROJECT": PROJECT}


def spool(home: dict[str, str]) -> Path:
    return Path(home["XDG_DATA_HOME"]) / "seamark/spool"


def train(name: str, steps: int, env: dict[str, str], *, waits: bool = False) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", TRAINING, name, str(steps), *(["wait"] if waits else [])]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def command(env: dict[str, str], *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "seamark", *words], env=env, input=given, capture_output=True, text=True
    )


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def wait_for(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == word:
            return
    raise AssertionError(f"the program ended without '{word}': {process.communicate()[1]}")


def steps_on_server(logs: Path, run: str) -> list[int]:
    if not logs.is_dir():
        return []
    found = next((each for each in seamark.open(logs) if each.name == run), None)
    return list(found.scalars("loss").step) if found is not None and "loss" in found.tags("scalars") else []


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


def test_a_run_arrives_while_it_trains_and_leaves_the_spool_when_it_ends(served: Served, home: dict[str, str]) -> None:
    process = train("live", 300, {**environment(home, served.url, served.tokens.writer), "LOUD": "1"}, waits=True)
    wait_for(process, "waiting")
    until(lambda: steps_on_server(served.logs, "live") == list(range(300)))
    out, errors = process.communicate("go on\n", timeout=DEADLINE_SECS)
    assert process.returncode == 0 and "finished" in out
    assert "not everything" not in errors and f"look at it: {served.url}/p/{PROJECT}/" in errors
    assert '"status": "finished"' in (served.logs / "live/run.json").read_text()
    assert not (spool(home) / "acme-vision/live").exists()


def test_a_dead_network_delays_and_neither_fails_nor_loses(tmp_path: Path, home: dict[str, str]) -> None:
    tokens, port = create_team(tmp_path / "team"), unused_port()
    process = train("patient", 200, environment(home, f"http://localhost:{port}", tokens.writer), waits=True)
    wait_for(process, "waiting")
    assert process.stderr is not None
    assert "cannot be reached" in process.stderr.readline()
    with served_team(tmp_path / "team", tokens, port=port) as server:
        until(lambda: steps_on_server(server.logs, "patient") == list(range(200)))
        out, errors = process.communicate("go on\n", timeout=DEADLINE_SECS)
        assert process.returncode == 0 and "finished" in out
        assert errors == ""


def test_without_a_server_the_end_is_bounded_and_says_how_to_send_the_rest(
    tmp_path: Path, home: dict[str, str]
) -> None:
    tokens, port = create_team(tmp_path / "team"), unused_port()
    env = environment(home, f"http://localhost:{port}", tokens.writer)
    process = train("later", 100, env)
    _, errors = process.communicate(timeout=DEADLINE_SECS)
    assert process.returncode == 0
    assert "seamark push sends the rest" in errors
    with served_team(tmp_path / "team", tokens, port=port) as server:
        pushed = command(env, "push")
        assert pushed.returncode == 0, pushed.stderr
        assert "files to acme/vision on" in pushed.stdout
        assert steps_on_server(server.logs, "later") == list(range(100))
        assert not (spool(home) / "acme-vision/later").exists()
        assert command(env, "push").stdout == "No runs wait in the spool.\n"


def test_what_a_killed_program_left_is_sent_by_the_next_push(tmp_path: Path, home: dict[str, str]) -> None:
    tokens, port = create_team(tmp_path / "team"), unused_port()
    env = environment(home, f"http://localhost:{port}", tokens.writer)
    process = train("killed", 150, env, waits=True)
    wait_for(process, "waiting")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with served_team(tmp_path / "team", tokens, port=port) as server:
        assert command(env, "push").returncode == 0
        assert steps_on_server(server.logs, "killed") == list(range(150))
    assert not (spool(home) / "acme-vision/killed").exists()


def test_a_run_that_still_trains_stays_in_the_spool(served: Served, home: dict[str, str]) -> None:
    env = environment(home, served.url, served.tokens.writer)
    process = train("running", 10, {**env, "SEAMARK_MODE": "offline"}, waits=True)
    wait_for(process, "waiting")
    assert command(env, "push").returncode == 0
    assert (spool(home) / "acme-vision/running/run.json").exists()
    process.communicate("go on\n", timeout=DEADLINE_SECS)
    assert command(env, "push").returncode == 0
    assert not (spool(home) / "acme-vision/running").exists()
    assert steps_on_server(served.logs, "running") == list(range(10))


@pytest.mark.parametrize(
    "changed", [{"SEAMARK_PROJECT": "no-organisation"}, {"SEAMARK_SERVER": "nonsense"}, {"SEAMARK_TOKEN": ""}]
)
def test_wrong_settings_are_one_warning_and_the_run_is_recorded(
    served: Served, home: dict[str, str], tmp_path: Path, changed: dict[str, str]
) -> None:
    env = environment(home, served.url, served.tokens.writer) | changed | {"SEAMARK_DIR": str(tmp_path / "runs")}
    process = train("local", 20, env)
    _, errors = process.communicate(timeout=DEADLINE_SECS)
    assert process.returncode == 0
    assert errors.count("(reported once)") == 1, errors
    (found,) = seamark.open(tmp_path / "runs")
    assert list(found.scalars("loss").step) == list(range(20))


def test_push_follow_sends_what_a_summary_writer_adds(served: Served, home: dict[str, str], tmp_path: Path) -> None:
    env = environment(home, served.url, served.tokens.writer)
    logdir = tmp_path / "logs"
    with seamark.SummaryWriter(logdir / "followed") as writer:
        writer.add_scalar("loss", 0.0, 0)
        writer.flush()
        words = [sys.executable, "-m", "seamark", "push", "--logdir", str(logdir), "--follow"]
        process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until(lambda: steps_on_server(served.logs, "followed") == [0])
        for step in range(1, 50):
            writer.add_scalar("loss", 0.0, step)
        writer.flush()
        until(lambda: steps_on_server(served.logs, "followed") == list(range(50)))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=DEADLINE_SECS)
    assert process.returncode == 130


def test_pull_equals_push_byte_for_byte_and_continues(served: Served, home: dict[str, str], tmp_path: Path) -> None:
    env = environment(home, served.url, served.tokens.writer)
    logdir, back = tmp_path / "logs", tmp_path / "back"
    for name, length in (("pulled/events.out.tfevents.1", 3 << 20), ("pulled/in/x.bin", 0), ("pulled/run.json", 70)):
        (logdir / name).parent.mkdir(parents=True, exist_ok=True)
        (logdir / name).write_bytes(os.urandom(length))
    dry = command(env, "push", "--logdir", str(logdir), "--dry_run")
    assert "Would send 3.1 MB of 3 files" in dry.stdout
    assert command(env, "push", "--logdir", str(logdir)).returncode == 0
    words = ["pull", "--runs", "^pulled", "-o", str(back)]
    assert command(env, *words).returncode == 0
    files = {str(path.relative_to(logdir)): path.read_bytes() for path in logdir.rglob("*") if path.is_file()}
    assert {str(path.relative_to(back)): path.read_bytes() for path in back.rglob("*") if path.is_file()} == files
    with (logdir / "pulled/events.out.tfevents.1").open("ab") as file:
        file.write(b"more")
    (back / "pulled/run.json").write_bytes(b"damaged")
    assert command(env, "push", "--logdir", str(logdir)).returncode == 0
    again = command(env, *words)
    assert "1 run, 3 files: 74 bytes loaded, 3.1 MB already there" in again.stdout, again
    assert (back / "pulled/events.out.tfevents.1").read_bytes()[-4:] == b"more"


def test_login_keeps_the_token_for_the_user_only(served: Served, home: dict[str, str], tmp_path: Path) -> None:
    assert command(home, "login", served.url, given=f"{served.tokens.viewer}\n").returncode == 0
    saved = Path(home["XDG_CONFIG_HOME"]) / "seamark/tokens.json"
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    pulled = command(home, "pull", "--project", PROJECT, "--runs", "nothing", "-o", str(tmp_path / "back"))
    assert pulled.returncode == 0, pulled.stderr
    refused = command(home, "push", "--logdir", str(tmp_path), "--project", "acme/secret")
    assert refused.returncode == 0 or "no project" in refused.stderr
    assert command(home, "login", "ftp://x").returncode == 2


FORKING = """
import os
import seamark
run = seamark.init(name="forked", system_metrics_secs=0, git=False, quiet=True)
run.log({"loss": 0.0}, step=0)
child = os.fork()
if child == 0:
    run.log({"loss": 99.0}, step=99)
    run.finish()
    os._exit(0)
os.waitpid(child, 0)
run.log({"loss": 1.0}, step=1)
run.finish()
"""


def test_a_forked_child_sends_nothing_and_its_parent_everything(served: Served, home: dict[str, str]) -> None:
    env = environment(home, served.url, served.tokens.writer)
    ended = subprocess.run([sys.executable, "-c", FORKING], env=env, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert steps_on_server(served.logs, "forked") == [0, 1]
    assert not (spool(home) / "acme-vision/forked").exists()


def test_each_rank_sends_a_run_of_its_own(served: Served, home: dict[str, str]) -> None:
    env = {**environment(home, served.url, served.tokens.writer), "SEAMARK_ALL_RANKS": "1", "WORLD_SIZE": "2"}
    ranks = [train("ranked", 30, {**env, "RANK": str(rank), "LOCAL_RANK": str(rank)}) for rank in range(2)]
    for process in ranks:
        _, errors = process.communicate(timeout=DEADLINE_SECS)
        assert process.returncode == 0, errors
    assert steps_on_server(served.logs, "ranked") == list(range(30))
    assert steps_on_server(served.logs, "ranked-rank1") == list(range(30))


def test_import_seamark_loads_no_uploads(home: dict[str, str]) -> None:
    program = (
        "import sys, seamark; seamark.init; print([name for name in sys.modules if 'upload' in name or name == 'ssl'])"
    )
    found = subprocess.run([sys.executable, "-c", program], env=home, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"

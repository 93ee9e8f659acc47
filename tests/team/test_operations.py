"""Health, metrics, faults of the database, and the command line in a process of its own."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from seamark.cli import command_named, parser_of
from seamark.team.operations.metrics import BUCKETS, Metrics, route_group
from seamark.team.settings import TeamFolder, TeamSettings
from tools.in_process_team import InProcessTeam, in_process_team, served_in_process_team
from tools.postgres import missing_postgres, running_postgres

METRICS = "/metrics"


def seamark(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "seamark", "team", *words], capture_output=True, text=True, check=False
    )
    assert not check or done.returncode == 0, done.stderr
    return done


def test_health_and_readiness_need_no_account(team: InProcessTeam) -> None:
    assert team.visitor().get("/healthz").text == "ok\n"
    assert team.visitor().get("/readyz").text == "ready\n"


def test_people_reach_a_server_on_a_port(tmp_path: Path) -> None:
    with served_in_process_team(tmp_path / "team") as team:
        assert team.visitor().get("/readyz").text == "ready\n"
        writer = team.person("writer")
        assert writer.get("/p/lab/vision/api/runs").json() == {"runs": []}
        assert writer.patch("/team/api/me", {"name": "Grace"}).json()["name"] == "Grace"
        cookie = team.browser_cookie("writer")
        assert writer.headers["cookie"] == f"{cookie['name']}={cookie['value']}" and cookie["url"] == team.address
        # Streams end with the server, not the other way round.
        with team.client.stream("GET", "/p/lab/vision/api/events", headers=dict(writer.headers)) as stream:
            assert stream.status_code == 200


def test_a_server_without_its_database_says_so_and_recovers(tmp_path: Path) -> None:
    missing = missing_postgres()
    if missing:
        pytest.skip(missing)
    with (
        running_postgres() as server,
        in_process_team(tmp_path / "team", TeamSettings(database=server.new_database())) as team,
    ):
        admin = team.person("server")
        assert admin.get("/readyz").status_code == 200
        server.stop()
        try:
            assert admin.get("/healthz").status_code == 200
            assert admin.get("/readyz").status_code == 503
            response = admin.get("/team/api/projects")
            assert response.status_code == 503 and response.json()["code"] == "unavailable"
            assert "socket" not in response.text
        finally:
            server.start()
        assert admin.get("/team/api/projects").status_code == 200
        assert "seamark_database_errors_total 1" in admin.get(METRICS).text


def test_metrics_count_requests_by_group_and_status(team: InProcessTeam) -> None:
    for _ in range(3):
        team.person("viewer").get("/p/lab/vision/api/runs")
    team.visitor().get("/team/api/audit")
    text = team.person("server").get(METRICS).text
    assert 'seamark_requests_total{group="project_api",status="200"} 3' in text
    assert 'seamark_requests_total{group="team_api",status="401"} 1' in text
    assert 'seamark_request_seconds_count{group="project_api"} 3' in text
    assert "seamark_opened_projects 1" in text
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) .+|seamark_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+', line), line


def test_the_histogram_is_cumulative() -> None:
    metrics = Metrics()
    for secs in (0.001, 0.2, 99.0):
        metrics.count_request("page", 200, secs)
    metrics.add("upload_bytes", 123)
    text = metrics.text(opened_projects=0)
    counts = [int(line.rsplit(" ", 1)[1]) for line in text.splitlines() if "_bucket{" in line]
    assert len(counts) == len(BUCKETS) + 1 and counts == sorted(counts) and counts[-1] == 3
    assert "seamark_upload_bytes_total 123\n" in text


def test_who_may_read_metrics(team: InProcessTeam) -> None:
    """The test client's address is no loopback address."""
    assert team.visitor().get(METRICS).status_code == 401
    for name in ("admin", "writer", "outsider"):
        assert team.person(name).get(METRICS).status_code == 403
    assert team.holder(team.token("server", "admin")).get(METRICS).status_code == 200
    assert team.holder(team.token("server", "viewer")).get(METRICS).status_code == 403
    assert team.holder(team.token(None, "admin", team.project)).get(METRICS).status_code == 403


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/team/api/projects", "team_api"),
        ("/team/api/projects/a/b/upload", "upload"),
        ("/p/a/b/", "project_page"),
        ("/p/a/b/data/logdir", "project_data"),
        ("/s/secret/api/runs", "share_api"),
        ("/s/secret/", "share_page"),
        ("/anything/else", "page"),
        ("/healthz", "healthz"),
    ],
)
def test_routes_fall_into_few_groups(path: str, group: str) -> None:
    assert route_group(path) == group


def test_users_are_made_and_changed_at_the_command_line(tmp_path: Path) -> None:
    folder = str(tmp_path / "team")
    seamark("init", folder)
    assert re.search(
        r"password of ada@example.org is \S{10,}", seamark("user", folder, "add", "ada@example.org", "--admin").stdout
    )
    seamark("user", folder, "add", "grace@example.org", "--no_password")
    listed = seamark("user", folder, "list").stdout.splitlines()
    assert listed == ["ada@example.org  ada  admin password", "grace@example.org  grace  "]
    seamark("user", folder, "disable", "grace@example.org")
    assert "disabled" in seamark("user", folder, "list").stdout
    refused = seamark("user", folder, "disable", "ada@example.org", check=False)
    assert refused.returncode == 2 and "needs an admin" in refused.stderr
    assert "no account" in seamark("user", folder, "reset", "nobody@example.org", check=False).stderr
    assert "already" in seamark("init", folder, check=False).stderr


def test_a_backup_is_made_and_restored_at_the_command_line(tmp_path: Path) -> None:
    folder, backup, restored = (str(tmp_path / name) for name in ("team", "backup.tar.gz", "restored"))
    seamark("init", folder, "--public_url", "https://runs.example.org/")
    seamark("user", folder, "add", "ada@example.org", "--admin")
    assert "3 rows and 0 files" in seamark("backup", folder, "-o", backup).stdout
    seamark("restore", backup, restored)
    assert seamark("user", restored, "list").stdout.startswith("ada@example.org")
    assert TeamFolder(Path(restored)).read().public_url == "https://runs.example.org"


def test_the_unit_may_write_only_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my team"
    seamark("init", str(folder))
    text = seamark("unit", str(folder), "--port", "443", "--behind_proxy").stdout
    assert f'ReadWritePaths="{folder}"' in text
    assert f'team serve "{folder}" --host localhost --port 443 --behind_proxy' in text
    for line in ("NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=CAP_NET_BIND_SERVICE"):
        assert line in text.splitlines()


def test_the_unit_has_every_flag_of_serve(tmp_path: Path) -> None:
    """What `serve` is to be started with by hand, systemd starts it with."""
    seamark("init", str(tmp_path / "team"))
    given = {
        "--host": "0.0.0.0",
        "--port": "6007",
        "--certificate": str(tmp_path / "chain.pem"),
        "--key": str(tmp_path / "key.pem"),
        "--allow_host": "runs,runs.example.org",
        "--points": "clickhouse://db-1,db-2/seamark?project=50%",
    }
    words = [word for pair in given.items() for word in pair]
    text = seamark("unit", str(tmp_path / "team"), "--behind_proxy", *words).stdout
    (command,) = re.findall(r"ExecStart=(.*)", text)
    started = command_line_of_systemd(command)
    module = command_named("team")
    assert module is not None
    parsed = parser_of("team", module).parse_args(started[started.index("team") + 1 :])
    assert parsed.action == "serve" and parsed.behind_proxy
    for flag, value in given.items():
        found = getattr(parsed, flag.removeprefix("--"))
        assert (",".join(found) if isinstance(found, tuple) else str(found)) == value


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """Also for a folder with characters that mean something to systemd."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is missing; install Debian's package systemd")
    folder, unit = tmp_path / "a $team of 50% &c", tmp_path / "seamark-team.service"
    assert shlex.quote(str(folder)) in seamark("init", str(folder)).stdout
    unit.write_text(seamark("unit", str(folder), "--port", "443").stdout)
    (writable,) = re.findall(r"ReadWritePaths=(.*)", unit.read_text())
    assert writable == f'"{str(folder).replace("%", "%%")}"'  # variables are for command lines only
    (command,) = re.findall(r"ExecStart=(.*)", unit.read_text())
    assert str(folder) in command_line_of_systemd(command)
    done = subprocess.run([program, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False)
    complaints = [line for line in done.stderr.splitlines() if unit.name in line]
    assert done.returncode == 0 and not complaints, done.stderr


def command_line_of_systemd(text: str) -> list[str]:
    """As systemd reads it: %% and $$ stand for one character."""
    return [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(text)]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certificate")
    made, key = folder / "certificate.pem", folder / "key.pem"
    made_by_openssl(made, key)
    return made, key


def made_by_openssl(certificate: Path, key: Path) -> None:
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)


def test_the_server_speaks_https_with_a_certificate(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    folder = str(tmp_path / "team")
    seamark("init", folder)
    made, key = map(str, certificate)
    command = [
        sys.executable,
        "-m",
        "seamark",
        "team",
        "serve",
        folder,
        "--port",
        "0",
        "--certificate",
        made,
        "--key",
        key,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = re.search(r"https://localhost:\d+/", process.stdout.readline())
        code = re.search(r"code: ([a-z0-9-]+)", process.stdout.readline())
        assert address and code
        body = {"code": code[1], "email": "ada@example.org", "name": "Ada", "password": "correct horse battery"}
        context = ssl.create_default_context(cafile=made)
        request = urllib.request.Request(f"{address[0]}team/api/setup", json.dumps(body).encode())
        with urllib.request.urlopen(request, context=context, timeout=60) as response:
            cookie = response.headers["set-cookie"]
            assert response.headers["strict-transport-security"]
        assert cookie.startswith("__Host-seamark-session=") and "; Secure" in cookie
        with urllib.request.urlopen(f"{address[0]}metrics", context=context, timeout=60) as response:
            assert b"seamark_requests_total" in response.read()  # from this machine
        proxied = urllib.request.Request(f"{address[0]}metrics", headers={"X-Forwarded-For": "127.0.0.1"})
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(proxied, context=context, timeout=60)
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and errors == ""


@pytest.mark.parametrize(("flags", "warns"), [((), True), (("--behind_proxy",), False)])
def test_plain_http_on_the_network_warns(tmp_path: Path, flags: tuple[str, ...], warns: bool) -> None:
    folder = str(tmp_path / "team")
    seamark("init", folder)
    command = [sys.executable, "-m", "seamark", "team", "serve", folder, "--host", "0.0.0.0", "--port", "0", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(2):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert ("unencrypted" in errors) == warns


def test_a_bad_certificate_gets_a_sentence(tmp_path: Path) -> None:
    folder, bad = str(tmp_path / "team"), tmp_path / "bad.pem"
    seamark("init", folder)
    bad.write_text("not a certificate")
    done = seamark("serve", folder, "--certificate", str(bad), check=False)
    assert done.returncode == 2 and "certificate" in done.stderr and "Traceback" not in done.stderr


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    """As on a machine without the extra."""
    (tmp_path / "argon2.py").write_text("raise ModuleNotFoundError('no argon2', name='argon2')")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    folder = str(tmp_path / "team")
    seamark("init", folder)
    command = [sys.executable, "-m", "seamark", "team", "serve", folder]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2 and "pip install 'seamark[team]'" in done.stderr and "Traceback" not in done.stderr

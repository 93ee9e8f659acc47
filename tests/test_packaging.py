"""What is light stays light, and the lock file names no server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAVY = (
    "seamark.store",
    "seamark.serve",
    "starlette",
    "uvicorn",
    "google.protobuf",
    "PIL",
    "watchfiles",
    "sqlite3",
    "re2",
)


def loaded_by(statement: str) -> set[str]:
    program = f"import sys; {statement}; print(*sorted(sys.modules), sep='\\n')"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(answer.stdout.split("\n"))


def test_importing_seamark_is_light() -> None:
    modules = loaded_by("import seamark")
    assert [name for name in HEAVY if name in modules] == []


def test_writing_scalars_loads_no_store_no_server_and_no_protobuf() -> None:
    modules = loaded_by(
        "import tempfile; from seamark.write.append.event_file import EventFile; EventFile(tempfile.mkdtemp()).add_scalar('a', 1.0, 0)"
    )
    assert [name for name in HEAVY if name in modules] == []


def test_the_web_lock_file_carries_no_download_addresses() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []
    assert all("integrity" in entry for name, entry in lock["packages"].items() if name)


def test_version_numbers_agree() -> None:
    import tomllib

    import seamark

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == seamark.__version__
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["version"] == seamark.__version__


def test_the_built_page_carries_the_licences_of_what_is_in_it() -> None:
    """The wheel takes the folder of the page as it is, so what is in there is in the wheel."""
    import tomllib

    notices = (ROOT / "src/seamark/serve/static/THIRD_PARTY_LICENSES.txt").read_text(encoding="utf-8")
    listed = notices.split("=" * 80)[0]
    for package, license in (("katex", "MIT"), ("highlight.js", "BSD-3-Clause"), ("three", "MIT"), ("svelte", "MIT")):
        assert re.search(rf"^  {re.escape(package)} [\d.]+ \({license}\)$", listed, re.MULTILINE), package
    for package in ("d3-array",):
        assert re.search(rf"^  {package} [\d.]+ \(ISC\)$", listed, re.MULTILINE), package
    assert notices.count("Copyright") >= listed.count("\n  ")
    assert str(ROOT) not in notices
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]["wheel"]
    assert wheel["packages"] == ["src/seamark"]
    assert not any("static" in pattern or ".txt" in pattern for pattern in wheel["exclude"])


def test_the_interface_for_views_is_shipped_and_not_loaded_at_the_start() -> None:
    import tomllib
    from fnmatch import fnmatch

    static = ROOT / "src/seamark/serve/static"
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    shipped = [
        static / "seamark-plugin.js",
        static / "seamark-plugin.d.ts",
        ROOT / "src/seamark/plugin/template/view.js",
        ROOT / "src/seamark/plugin/template/view.css",
        ROOT / "src/seamark/dashboards/skeleton/test_dashboard.py",
    ]
    excluded = settings["wheel"]["exclude"]
    for file in shipped:
        assert file.is_file()
        path = file.relative_to(ROOT / "src").as_posix()
        assert f"!{path}" in excluded or not any(fnmatch(path, pattern) for pattern in excluded), path
    assert "src/seamark/serve/static/**" in settings["sdist"]["include"]
    loaded = re.findall(r"assets/([\w.-]+)\.js", (static / "index.html").read_text(encoding="utf-8"))
    assert loaded
    assert not [name for name in loaded if name.startswith(("seamark_plugin", "PlainHost"))]

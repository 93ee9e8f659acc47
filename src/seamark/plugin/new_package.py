"""Writes a new package with a dashboard: the skeleton's routes, a view in plain JavaScript and the types it can use."""

from __future__ import annotations

import shutil
from pathlib import Path

from seamark.plugin.dashboard import FOLDER, TEMPLATE, check_name

FILES = Path(__file__).parent / "template"
TYPES = Path(__file__).parent.parent / "serve" / "static" / "seamark-plugin.d.ts"

PYPROJECT = """\
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "seamark-{distribution}"
version = "0.1"
dependencies = ["seamark"]

[project.optional-dependencies]
test = ["httpx2", "pytest"]

[project.entry-points."seamark.dashboards"]
{name} = "seamark_{module}:dashboard"

[tool.setuptools]
packages = ["seamark_{module}"]

[tool.setuptools.package-data]
seamark_{module} = ["*.js", "*.css"]
"""

README = """\
# {title}

A tab of Seamark that shows a scalar tag of the shown runs, and how many points each of them has.

```sh
pip install -e ".[test]"
pytest
seamark --logdir runs --reload_dashboards
```

`seamark_{module}/view.js` draws the tab, `seamark_{module}/routes.py` computes on the server. Every `.js` and `.css`
file beside the view is served with it. `seamark_{module}/seamark-plugin.d.ts` describes what a view can use;
Seamark's documentation has a tutorial under "Add a tab of your own".
"""

DASHBOARD = '''\
"""The dashboard "{title}"."""

from pathlib import Path

from seamark.plugin import Dashboard

from .routes import endpoints

dashboard = Dashboard(
    name="{name}",
    title="{title}",
    order=200,
    kinds=("scalars",),
    routes=endpoints,
    module=Path(__file__).with_name("view.js"),
)
'''


def write_package(name: str, folder: Path) -> list[Path]:
    """Writes the package into a folder that does not exist yet. Returns its files."""
    check_name(name)
    if folder.exists():
        raise ValueError(f"want a folder that does not exist yet, got '{folder}'")
    words = {
        "name": name,
        "module": name.replace("-", "_"),
        "distribution": name.replace("_", "-"),
        "title": name.replace("_", " ").replace("-", " ").capitalize(),
    }
    package = folder / f"seamark_{words['module']}"
    package.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PYPROJECT.format(**words), encoding="utf-8")
    (folder / "README.md").write_text(README.format(**words), encoding="utf-8")
    (package / "__init__.py").write_text(DASHBOARD.format(**words), encoding="utf-8")
    for file in (FOLDER / TEMPLATE / "routes.py", FILES / "view.js", FILES / "view.css", TYPES):
        shutil.copyfile(file, package / file.name)
    test = (FOLDER / TEMPLATE / "test_dashboard.py").read_text(encoding="utf-8")
    test = test.replace("seamark.dashboards.skeleton.routes", f"seamark_{words['module']}.routes")
    (folder / "test_routes.py").write_text(test, encoding="utf-8")
    return sorted(path for path in folder.rglob("*") if path.is_file())

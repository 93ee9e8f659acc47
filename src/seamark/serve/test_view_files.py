"""The files of a view: the module, what it imports and its styles, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.plugin import Dashboard, Found
from seamark.serve.dashboards import listing
from seamark.serve.view_files import file_route


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    for name, text in {
        "view.js": "export default {}",
        "parts/helper.js": "export const one = 1",
        "view.css": ".noise {}",
        "routes.py": "SECRET = 1",
        ".hidden.js": "1",
        "__pycache__/cached.js": "1",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "outside.js").write_text("1")
    (folder / "link.js").symlink_to(tmp_path / "outside.js")
    return folder


def test_the_module_and_the_files_beside_it_are_served_unchanged(folder: Path) -> None:
    client = TestClient(Starlette(routes=[file_route(folder / "view.js")]))
    for path, text, media_type in (
        ("view.js", "export default {}", "text/javascript"),
        ("parts/helper.js", "export const one = 1", "text/javascript"),
        ("view.css", ".noise {}", "text/css"),
        ("seamark-plugin.js", 'export * from "../../../../../seamark-plugin.js";\n', "text/javascript"),
        ("parts/seamark-plugin.js", 'export * from "../../../../../../seamark-plugin.js";\n', "text/javascript"),
    ):
        for version in (0, 7):
            answer = client.get(f"/files/{version}/{path}")
            assert (answer.text, answer.headers["content-type"].split(";")[0]) == (text, media_type)
    found = Found("mine", "my-package", Dashboard(name="mine", title="Mine", module=folder / "view.js"))
    assert listing(found).module == "api/dashboards/mine/files/0/view.js"


@pytest.mark.parametrize(
    "path", ["routes.py", ".hidden.js", "__pycache__/cached.js", "link.js", "..%2Foutside.js", "none.js"]
)
def test_nothing_else_is_served(folder: Path, path: str) -> None:
    answer = TestClient(Starlette(routes=[file_route(folder / "view.js")])).get(f"/files/0/{path}")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"

"""The page's types are those that the server describes, and a file that differs is a problem."""

from __future__ import annotations

from pathlib import Path

from tools.page_types import FILE_NAME, ROOT, document, problems, schemas_by_file


def test_a_file_that_differs_from_the_description_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "web").symlink_to(ROOT / "web")
    stale = tmp_path / "src/seamark/dashboards/text/view" / FILE_NAME
    stale.parent.mkdir(parents=True)
    stale.write_text("")
    assert list(problems(tmp_path)) == [
        "src/seamark/dashboards/text/view/wire_types.ts: is not what the server describes; "
        "run python tools/page_types.py --write"
    ]


def test_each_dashboard_has_the_types_of_its_own_routes_only() -> None:
    files = schemas_by_file(ROOT)
    api = files["web/src/data/wire_types.ts"]
    text = files["src/seamark/dashboards/text/view/wire_types.ts"]
    assert {"ErrorResponse", "HasDataResponse", "TableBody"} <= set(api) and "EntryResponse" not in api
    assert "EntryResponse" in text and not set(text) & {"ErrorResponse", "HasDataResponse", "TableBody"}
    assert not [name for schemas in files.values() for name in schemas if "." in name], "no name twice in a file"


def test_the_document_is_in_the_order_of_names_and_without_titles() -> None:
    schemas = document({"B": {"title": "B", "type": "object"}, "A": {"title": "A", "type": "object"}})["components"]
    assert list(schemas["schemas"].items()) == [("A", {"type": "object"}), ("B", {"type": "object"})]

"""The routes of the tables, on the small trace of conftest.py."""

from __future__ import annotations

import pytest

from seamark.dashboards.profile.conftest import Get
from seamark.profiles.arguments import ArgumentFile
from seamark.profiles.form import ProfileError


def test_tables_of_a_small_trace(get: Get) -> None:
    operators = get("operators").json()
    assert operators["group"] == "name"
    assert {row["name"]: row["calls"] for row in operators["rows"]} == {"aten::mm": 2, "aten::relu": 1}
    assert get("operators", group="shapes").json()["group"] == "shapes"
    assert [row["name"] for row in get("kernels").json()["rows"]] == ["gemm_fp16"]
    assert get("call_tree").json()["nodes"][0]["name"] == "aten::mm"
    assert get("modules").json()["tree"]["nodes"] == []


def test_a_table_as_csv(get: Get) -> None:
    response = get("table", table="operators")
    assert response.headers["content-type"].startswith("text/csv")
    assert response.text.startswith("name,activity,calls,self_ns,total_ns,device_self_ns")
    assert get("table", table="everything").status_code == 400


def test_compared_rows_and_collectives_as_csv(get: Get) -> None:
    other = {"other_run": "a", "other_capture": "small"}
    compared = get("compared_table", table="operators", **other)
    assert compared.headers["content-type"].startswith("text/csv")
    assert compared.text.startswith("name,a_calls,b_calls,a_ns,b_ns,explains\n")
    assert {line.split(",")[0] for line in compared.text.splitlines()[1:]} == {"aten::mm", "aten::relu"}
    assert get("compared_table", table="kernels", **other).text.splitlines()[1].startswith("gemm_fp16,")
    assert get("compared_table", table="kernels").status_code == 400
    assert get("table", table="collectives").text == ""  # one rank without collectives


def test_a_file_that_changed_is_an_error_with_a_sentence(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise ProfileError("the file changed since it was read: open it again")

    monkeypatch.setattr(ArgumentFile, "read", fail)
    response = get("kernels")
    assert response.status_code == 422
    assert "open it again" in response.json()["error"]

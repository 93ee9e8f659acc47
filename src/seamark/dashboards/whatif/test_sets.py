"""Sets of every source through the routes."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.dashboards.whatif.conftest import ROUTES, Send
from seamark.dashboards.whatif.library import ExampleLibrary
from seamark.dashboards.whatif.wire.sets import SetParameters
from seamark.examples.form import ExampleSet
from seamark.kinds.image import png
from seamark.plugin import ModelOptions
from seamark.plugin.columns import decode_columns
from seamark.store import LogRoot, Store

PICTURE = png(np.zeros((2, 3, 3), np.uint8))
TABLE = """age,sex,flag,note,income,score
25,Female,true,=cmd()|x,<=50K,0.2
35,Male,false,<b>bold</b>,>50K,0.9
45,Female,true,plain,>50K,0.4
55,Male,,,<=50K,0.7
"""
SET = {"run": "a", "name": "file:adult.examples.csv"}


@pytest.fixture
def adult(run: Path) -> Path:
    path = run / "adult.examples.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def corrected(adult: Path, post: Send) -> Path:
    schema = {
        "columns": [{"name": "income", "type": "category", "role": "truth"}],
        "task": "binary", "target": "income", "positive": ">50K",
    }  # fmt: skip
    answer = post("schema", **SET, schema=schema)
    assert answer.status_code == 200, answer.text
    return adult


def rows_of(answer: Any) -> list[int]:
    assert answer.status_code == 200, answer.text
    return [int(row) for row in decode_columns(answer.content)[1]["rows"]]


def column_of(answer: Any) -> list[Any]:
    assert answer.status_code == 200, answer.text
    header, columns = decode_columns(answer.content)
    if "names" not in header:
        return [None if np.isnan(v) else round(float(v), 5) for v in columns["values"]]
    return [None if code < 0 else header["names"][code] for code in columns["values"]]


# Which there are


def test_only_files_that_are_called_so_are_sets(get: Send, run: Path, adult: Path) -> None:
    for name in ("examples.tsv", "sub/b.examples.jsonl", "c.examples.csv.gz"):
        (run / name).parent.mkdir(exist_ok=True)
        data = {"tsv": b"a\tlabel\n1\t0\n2\t1\n", "jsonl": b'{"a": 1}\n', "gz": gzip.compress(b"a\n1\n")}
        (run / name).write_bytes(data[name.rpartition(".")[2]])
    for name in ("pets.examples/cat/1.png", "pets.examples/dog/1.png"):
        (run / name).parent.mkdir(parents=True)
        (run / name).write_bytes(PICTURE)
    for name in ("metrics.csv", "myexamples.csv", ".examples.csv", "notexamples.json"):
        (run / name).write_text(TABLE)
    answer = get("sets").json()
    names = {entry["name"] for entry in answer["sets"]}
    assert names == {
        "file:adult.examples.csv", "file:examples.tsv", "file:sub/b.examples.jsonl", "file:c.examples.csv.gz",
        "file:pets.examples",
    }  # fmt: skip
    assert not answer["more"]
    for name in names:
        assert get("info", run="a", name=name).status_code == 200, name


@pytest.mark.parametrize(
    "name",
    [
        "file:metrics.csv", "file:../secret.examples.csv", "file:/etc/examples.csv", "file:.hidden/examples.csv",
        "file:link.examples.csv", "file:gone.examples.csv", "logged:none", "upload:none", "oops", "",
        "file:a\0.examples.csv", "file:..", "file:linked.examples",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_run(get: Send, run: Path, name: str) -> None:
    (run.parent / "secret.examples.csv").write_text(TABLE)
    (run / "metrics.csv").write_text(TABLE)
    (run / ".hidden").mkdir()
    (run / ".hidden" / "examples.csv").write_text(TABLE)
    (run / "link.examples.csv").symlink_to(run.parent / "secret.examples.csv")
    (run / "linked.examples").symlink_to(run.parent)
    answer = get("info", run="a", name=name)
    assert answer.status_code == 404 and answer.json()["error"]
    assert get("sets").json()["sets"] == []


def test_a_damaged_file_is_a_sentence(get: Send, run: Path) -> None:
    (run / "x.examples.npz").write_bytes(b"PK\x03\x04 nothing")
    (run / "x.examples.json").write_text("[" * 5000)
    for name in ("file:x.examples.npz", "file:x.examples.json"):
        answer = get("info", run="a", name=name)
        assert answer.status_code == 422 and answer.json()["error"].startswith("the examples cannot be read: ")


# What a set has


def test_info(get: Send, corrected: Path) -> None:
    info = get("info", **SET).json()
    assert (info["rows"], info["task"], info["target"], info["positive"]) == (4, "binary", "income", ">50K")
    assert info["classes"] == ["<=50K", ">50K"] and [m["name"] for m in info["models"]] == ["predictions"]
    by_name = {column["name"]: column for column in info["columns"]}
    assert by_name["age"]["minimum"] == 25 and by_name["age"]["is_whole"] and by_name["age"]["role"] == "feature"
    assert by_name["sex"]["names"] == ["Female", "Male"] and by_name["score"]["role"] == "prediction"
    assert by_name["flag"]["type"] == "boolean" and by_name["note"]["type"] == "text"
    assert info["schema_path"] == "adult.examples.schema.json"


def test_computed_columns(get: Send, corrected: Path) -> None:
    def column(name: str, **options: Any) -> list[Any]:
        return column_of(get("column", **SET, column=name, **options))

    assert column("age") == [25, 35, 45, 55]
    assert column("sex") == ["Female", "Male", "Female", "Male"]
    assert column("=score") == [0.2, 0.9, 0.4, 0.7]
    assert column("=score:<=50K") == [0.8, 0.1, 0.6, 0.3]
    assert column("=predicted") == ["<=50K", ">50K", "<=50K", ">50K"]
    assert column("=error") == [0, 0, 1, 1] and column("=correct") == [1, 1, 0, 0]
    assert column("=error", threshold=0.4) == [0, 0, 0, 1]
    assert column("=distance", row=2)[2] == 0 and min(column("=distance", row=2)[:2]) > 0
    assert get("column", **SET, column="=distance", row=4).status_code == 404
    for name in ("nope", "=nope", "=score:nope", ""):
        assert get("column", **SET, column=name).status_code == 404
    assert get("column", **SET, column="=score", model="nope").status_code == 404


def test_columns_of_several_models(get: Send, run: Path) -> None:
    rows = [
        "label,m1/p_a,m1/p_b,m1/p_c,m2/p_c,m2/p_a,m2/p_b",
        "a,.7,.2,.1,.5,.3,.2",
        "b,.1,.8,.1,.1,.3,.6",
        "c,,,,1,0,0",
    ]
    (run / "examples.csv").write_text("\n".join(rows) + "\n")
    chosen = {"run": "a", "name": "file:examples.csv"}
    assert [model["name"] for model in get("info", **chosen).json()["models"]] == ["m1", "m2"]
    assert column_of(get("column", **chosen, column="=score", model="m1")) == [0.7, 0.8, None]
    assert column_of(get("column", **chosen, column="=predicted", model="m2")) == ["c", "b", "c"]
    assert column_of(get("column", **chosen, column="=difference", model="m1", model2="m2")) == [0.4, 0.2, None]
    assert column_of(get("column", **chosen, column="=error", model="m1")) == [0, 0, None]


def test_rows(post: Send, corrected: Path) -> None:
    answer = post("rows", **SET, rows=[3, 0], columns=["note", "flag", "age", "=score", "=predicted"]).json()
    assert answer["values"] == [[None, None, 55, 0.7, ">50K"], ["=cmd()|x", True, 25, 0.2, "<=50K"]]
    assert post("rows", **SET, rows=[4]).status_code == 404
    assert post("rows", **SET, rows=[0], columns=["nope"]).status_code == 404
    assert post("rows", **SET, rows=[-1]).status_code == 400


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("", [0, 1, 2, 3]),
        ('sex = "Female" and age > 30', [2]),
        ("flag", [0, 2]),
        ("flag is None", [3]),
        ("score > 0.5 and error == 1", [3]),
        ('predicted = ">50K"', [1, 3]),
        ('truth != predicted', [2, 3]),
        ("not correct", [2, 3]),
        ("row >= 2", [2, 3]),
        ('"bold" in note', [1]),
    ],
)  # fmt: skip
def test_queries(post: Send, corrected: Path, query: str, rows: list[int]) -> None:
    assert rows_of(post("filter", **SET, filter={"query": query})) == rows


def test_a_wrong_query_names_its_place(post: Send, corrected: Path) -> None:
    answer = post("filter", **SET, filter={"query": "age > 3 and nope = 1"})
    assert answer.status_code == 400 and "the set has no column 'nope'" in answer.json()["error"]
    assert (answer.json()["at"], answer.json()["length"]) == (12, 4)


@pytest.mark.parametrize(
    ("conditions", "rows"),
    [
        ([{"column": "sex", "values": ["Female"]}], [0, 2]),
        ([{"column": "age", "at_least": 35, "below": 55}], [1, 2]),
        ([{"column": "flag", "values": ["true"]}], [0, 2]),
        ([{"column": "flag", "values": [""]}], [3]),
        ([{"column": "age", "values": ["25", "55.0"]}], [0, 3]),
        ([{"column": "sex", "values": ["Male"]}, {"column": "=error", "at_least": 1}], [3]),
    ],
)
def test_conditions(post: Send, corrected: Path, conditions: list[dict[str, Any]], rows: list[int]) -> None:
    assert rows_of(post("filter", **SET, filter={"conditions": conditions})) == rows


def test_a_range_of_names_is_a_sentence(post: Send, corrected: Path) -> None:
    answer = post("filter", **SET, filter={"conditions": [{"column": "sex", "below": 3}]})
    assert answer.status_code == 400 and "a range needs numbers" in answer.json()["error"]


def test_the_command_line_names_the_truth(adult: Path, run: Path, tmp_path: Path) -> None:
    def opened(**options: str) -> ExampleSet:
        with Store([LogRoot("", run.parent)], index_dir=tmp_path / "other", follow=False) as store:
            assert store.wait_loaded(30)
            return ExampleLibrary(store, (), ModelOptions(**options)).open(SetParameters(**SET))

    examples = opened(truth="income", positive="<=50K")
    assert (examples.schema.target, examples.schema.positive) == ("income", "<=50K") and not examples.problems
    assert opened(truth="income").content_id != examples.content_id
    assert "--truth names the column 'nope'" in opened(truth="nope").problems[0]


# Corrections


def test_corrections_are_saved_and_used_again(get: Send, post: Send, corrected: Path) -> None:
    before = get("info", **SET).json()
    saved = json.loads((corrected.parent / "adult.examples.schema.json").read_text())
    assert saved["target"] == "income"
    saved["columns"] = [{"name": "age", "type": "category", "role": "group"}, {"name": "note", "type": "number"}]
    after = post("schema", **SET, schema=saved).json()
    by_name = {column["name"]: column for column in after["columns"]}
    assert by_name["age"]["names"] and by_name["age"]["role"] == "group"
    assert after["problems"] == ["3 values are missing now in 'note': got '=cmd()|x', want a number"]
    assert after["content_id"] != before["content_id"]
    removed = post("schema", **SET, schema=None).json()
    assert removed["columns"][0]["type"] == "number" and removed["target"] == ""
    assert not (corrected.parent / "adult.examples.schema.json").exists()


def test_corrections_that_do_not_fit(get: Send, post: Send, run: Path, adult: Path) -> None:
    schema = {"columns": [{"name": "nope", "type": "number"}]}
    answer = post("schema", **SET, schema=schema)
    assert answer.status_code == 400 and "the set has no column 'nope'" in answer.json()["error"]
    assert post("schema", **SET, schema={"columns": [{"name": "age", "type": "colour"}]}).status_code == 400
    answer = post("schema", **SET, schema={"columns": []})
    assert answer.status_code == 400 and "names no columns and no target; send null" in answer.json()["error"]
    assert not (run / "adult.examples.schema.json").exists()
    (run / "adult.examples.schema.json").write_text("{broken")
    assert "the saved schema is not used" in get("info", **SET).json()["problems"][0]


def test_a_folder_that_cannot_be_written_is_a_sentence(post: Send, run: Path, adult: Path) -> None:
    (run / "adult.examples.schema.json").mkdir()  # as good as a read-only folder, also for root
    (run / "adult.examples.schema.json" / "x").write_text("")
    answer = post("schema", **SET, schema={"columns": [{"name": "age", "type": "category"}]})
    assert answer.status_code == 403 and "the schema cannot be saved beside the data" in answer.json()["error"]


def test_a_changed_file_is_read_again(get: Send, adult: Path) -> None:
    first = get("info", **SET).json()["content_id"]
    assert get("info", **SET).json()["content_id"] == first
    adult.write_text(TABLE + "66,Male,true,,>50K,0.1\n")
    again = get("info", **SET).json()
    assert again["rows"] == 5 and again["content_id"] != first
    copy = adult.with_name("copy.examples.csv")
    copy.write_text(TABLE)
    assert get("info", run="a", name="file:copy.examples.csv").json()["content_id"] == first


# Pictures, exports, uploads


def test_pictures(get: Send, run: Path) -> None:
    folder = run / "pets.examples"
    for name, data in (("cat/1.png", PICTURE), ("cat/2.png", b"<svg onload=alert(1)>"), ("dog/3.png", b"<html>")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    chosen = {"run": "a", "name": "file:pets.examples", "column": "image"}
    answer = get("picture", **chosen, row=0)
    assert answer.content == PICTURE and answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    for row in (1, 2):
        assert get("picture", **chosen, row=row).status_code == 422
    assert get("picture", **chosen, row=3).status_code == 404
    assert get("picture", **{**chosen, "column": "label"}, row=0).status_code == 404


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_exports(post: Send, corrected: Path, format: str) -> None:
    body = post("export", **SET, format=format, filter={"query": "age < 40"}).content
    if format == "csv":
        lines = body.decode().splitlines()
        assert lines[0] == "row,age,sex,flag,note,income,score,score (2),predicted,error"
        assert lines[1] == "0,25,Female,true,'=cmd()|x,<=50K,0.2,0.2,<=50K,0"
        return
    if format == "jsonl":
        rows = [json.loads(line) for line in body.decode().splitlines()]
    else:
        rows = pytest.importorskip("pyarrow.parquet").read_table(io.BytesIO(body)).to_pylist()
    assert [(row["row"], row["note"], row["flag"], row["predicted"]) for row in rows] == [
        (0, "=cmd()|x", True, "<=50K"), (1, "<b>bold</b>", False, ">50K"),
    ]  # fmt: skip


def test_an_upload_and_its_corrections(client: TestClient, get: Send, post: Send) -> None:
    def send(name: str, data: bytes) -> Any:
        return client.post(f"{ROUTES}/upload", params={"name": name}, content=data)

    answer = send("../my <b>.csv", TABLE.encode())
    assert answer.status_code == 200, answer.text
    chosen = answer.json()
    assert chosen["run"] == "" and [entry["title"] for entry in get("sets").json()["sets"]] == ["../my <b>.csv"]
    schema = {"columns": [], "task": "regression", "target": "age"}
    info = post("schema", **chosen, schema=schema).json()
    assert info["target"] == "age" and info["schema_path"] == ""
    assert get("info", **chosen).json()["task"] == "regression"
    assert send("x.exe", b"MZ").status_code == 422
    bad = send("x.parquet", b"PAR1 nothing")
    assert bad.status_code == 422 and "cannot be read" in bad.json()["error"]
    assert len(get("sets").json()["sets"]) == 1


# Logged examples


def test_logged_examples_have_their_steps(get: Send, post: Send, run: Path) -> None:
    from seamark.write.encode.examples.content import of_log_examples
    from seamark.write.encode.examples.files import ExampleFiles

    files = ExampleFiles(str(run))
    table = {"age": np.array([20, 30, 40]), "sex": ["f", "m", "f"], "label": ["no", "yes", "yes"], "pic": [PICTURE] * 3}
    for step, scores in ((0, [0.9, 0.1, 0.4]), (10, [0.2, 0.7, 0.8])):
        probabilities = np.stack([1 - np.array(scores), scores], axis=1)
        content = of_log_examples(table, {"big": probabilities, "small": scores}, "label", None)
        files._write("val/<b>", content, step)
    (entry,) = get("sets").json()["sets"]
    assert (entry["name"], entry["steps"]) == ("logged:val/<b>", [0, 10])
    chosen = {"run": "a", "name": "logged:val/<b>"}
    info = get("info", **chosen).json()
    names = [model["name"] for model in info["models"]]
    assert info["steps"] == [0, 10] and names == ["big", "small", "big at step 0", "small at step 0"]
    assert (info["task"], info["target"], info["positive"]) == ("binary", "label", "yes")
    assert column_of(get("column", **chosen, column="=error", model="small")) == [0, 0, 0]
    assert column_of(get("column", **chosen, column="=error", model="small", step=0)) == [1, 1, 1]
    assert column_of(get("column", **chosen, column="=score", model="big", step=0)) == [0.9, 0.1, 0.4]
    # Another checkpoint stands beside that of the step.
    assert column_of(get("column", **chosen, column="=score", model="small at step 0")) == [0.9, 0.1, 0.4]
    change = column_of(get("column", **chosen, column="=difference", model="small", model2="small at step 0"))
    assert change == pytest.approx([-0.7, 0.6, 0.4])
    assert get("column", **chosen, column="=score", model="small at step 10").status_code == 404
    assert get("picture", **chosen, column="pic", row=1).content == PICTURE
    assert get("info", **chosen, step=5).status_code == 404
    assert get("info", **chosen, step=0).json()["content_id"] != info["content_id"]
    schema = {"columns": [{"name": "age", "type": "category"}], "target": "label", "positive": "no"}
    corrected = post("schema", **chosen, schema=schema).json()
    assert corrected["positive"] == "no" and get("info", **chosen, step=0).json()["positive"] == "no"
    assert len(list((run / "logged_examples").glob("*/*.table"))) == 1
    (table_file,) = (run / "logged_examples").glob("*/*.table")
    table_file.write_bytes(table_file.read_bytes()[:-40])
    (run / "logged_examples" / "val%2f<b>" / "10.scores").touch()  # not cached any more
    assert get("info", **chosen).status_code == 422

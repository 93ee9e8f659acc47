"""Embeddings of every source through the routes."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.dashboards.projector.conftest import Get
from seamark.kinds.image import png
from seamark.kinds.projector.config import Embedding, ProjectorConfig, Sprite, encode
from seamark.plugin import run_folder
from seamark.plugin.columns import decode_columns
from seamark.serve.tensorboard.projector.test_checkpoints import WEIGHTS, write_checkpoint

MATRIX = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
UPLOAD = "/api/dashboards/projector/upload"
EXPORT = "/api/dashboards/projector/export"


def configure(folder: Path, *embeddings: Embedding) -> None:
    (folder / "projector_config.pbtxt").write_text(encode(ProjectorConfig(embeddings)))


def tsv(matrix: np.ndarray) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in matrix.tolist())


def rows_of(answer: object) -> list[int]:
    assert answer.status_code == 200, answer.text  # type: ignore[attr-defined]
    return decode_columns(answer.content)[1]["rows"].tolist()  # type: ignore[attr-defined]


def test_steps_of_a_tag_are_one_embedding_and_files_are_listed(get: Get, run: Path) -> None:
    for name in ("1.tsv", "2.tsv"):
        (run / name).write_text(tsv(MATRIX))
    configure(run, Embedding("e <b>:00010", "2.tsv"), Embedding("e <b>:00002", "1.tsv"), Embedding("plain", "1.tsv"))
    np.save(run / "vectors #1.npy", MATRIX)
    np.savez(run / "many.npz", a=MATRIX, b=MATRIX[0], c=MATRIX * 2)
    (run / "metrics.csv").write_text("step,loss\n1,0.5\n")
    (run / "points.csv").write_text("x0,x1,x2,name\n1,2,3,a\n4,5,6,b\n")
    np.save(run / "flat.npy", MATRIX[0])
    listed = get("embeddings").json()["embeddings"]
    assert [(entry["name"], entry["title"], [step["step"] for step in entry["steps"]]) for entry in listed] == [
        ("config:e <b>:00010", "e <b>", [2, 10]),
        ("config:plain", "plain", []),
        ("file:many.npz#a", "many.npz#a", []),
        ("file:many.npz#c", "many.npz#c", []),
        ("file:vectors #1.npy", "vectors #1.npy", []),
        ("file:points.csv", "points.csv", []),
    ]
    infos = [get("info", run=entry["run"], name=entry["name"]).json() for entry in listed]
    assert [(info["rows"], info["dimensions"]) for info in infos] == [(6, 4)] * 5 + [(2, 3)]
    # The same numbers have the same id, whatever the file.
    assert infos[0]["content_id"] == infos[4]["content_id"]


def test_a_config_with_labels_sprite_and_bookmarks(get: Get, run: Path) -> None:
    (run / "t.bytes").write_bytes(MATRIX.tobytes())
    (run / "labels.tsv").write_text("name\tsize\n<b>x</b>\t1\ny\t\nx\t3\ny\t4\nx\t5\n")
    (run / "sprite.png").write_bytes(png(np.zeros((4, 6, 3), np.uint8)))
    (run / "marks.json").write_text("[]")
    configure(run, Embedding("t", "t.bytes", (6, 4), "labels.tsv", "marks.json", Sprite("sprite.png", (2, 2))))
    info = get("info", run="a", name="config:t").json()
    assert info["problems"] == ["the metadata has 5 rows for 6 points: the last 1 has no labels"]
    assert info["thumbnails"] == {"width": 2, "height": 2, "columns": 3} and info["has_bookmarks"]
    assert [(column["name"], column["type"]) for column in info["columns"]] == [("name", "text"), ("size", "number")]
    picture = get("thumbnails", run="a", name="config:t")
    assert picture.headers["content-type"] == "image/png" and picture.content == (run / "sprite.png").read_bytes()
    assert get("bookmarks", run="a", name="config:t").text == "[]"
    assert rows_of(get("search", run="a", name="config:t", text="<B>")) == [0]
    assert rows_of(get("search", run="a", name="config:t", text="^X|4", is_regex="true")) == [2, 3, 4]
    assert rows_of(get("filter", run="a", name="config:t", query='name = "x" and size > 3')) == [4]
    assert rows_of(get("filter", run="a", name="config:t", query="`size` is None")) == [1, 5]
    wrong = get("filter", run="a", name="config:t", query="nothing > 3")
    assert (wrong.status_code, "no column 'nothing'" in wrong.text) == (400, True)


@pytest.mark.parametrize(
    ("sprite", "sentence"),
    [
        (Sprite("sprite.png", (2, 3)), "room for 3 thumbnails of 2 x 3, and there are 6 points"),
        (Sprite("sprite.png", ()), "single_image_dim"),
        (Sprite("t.tsv", (2, 2)), "no picture"),
        (Sprite("../../secret.png", (2, 2)), "outside"),
        (Sprite("missing.png", (2, 2)), "no such file"),
    ],
)
def test_a_wrong_sprite_is_a_sentence_and_no_thumbnails(get: Get, run: Path, sprite: Sprite, sentence: str) -> None:
    (run / "t.tsv").write_text(tsv(MATRIX))
    (run / "sprite.png").write_bytes(png(np.zeros((4, 6, 3), np.uint8)))
    (run.parent.parent / "secret.png").write_bytes(png(np.zeros((40, 60, 3), np.uint8)))
    configure(run, Embedding("t", "t.tsv", sprite=sprite))
    info = get("info", run="a", name="config:t").json()
    assert info["thumbnails"] is None
    assert len(info["problems"]) == 1 and sentence in info["problems"][0]
    assert get("thumbnails", run="a", name="config:t").status_code == 404


def test_a_value_has_one_colour_at_all_steps(get: Get, run: Path) -> None:
    (run / "v.tsv").write_text(tsv(MATRIX))
    texts = {2: ["cat"] * 6, 10: ["dog"] * 3 + ["bird"] * 3}
    for step, names in texts.items():
        (run / f"{step}.tsv").write_text("\n".join(["predicted\tother", *(f"{name}\tx" for name in names)]) + "\n")
    configure(run, *(Embedding(f"e:{step:05}", "v.tsv", metadata_path=f"{step}.tsv") for step in texts))
    styles = {}
    for step in texts:
        answer = get("column", run="a", name=f"config:e:{step:05}", column="predicted")
        header = decode_columns(answer.content)[0]
        styles[step] = dict(zip(header["names"], header["styles"], strict=True))
    assert styles == {2: {"cat": 1}, 10: {"bird": 0, "dog": 2}}


def test_a_step_of_5000_digits_is_a_part_of_the_name(get: Get, run: Path) -> None:
    name = f"t:{'1' * 5000}"
    configure(run, Embedding(name, "v.tsv"))
    (listed,) = get("embeddings").json()["embeddings"]
    assert listed["name"] == f"config:{name}"


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("x.tsv", b"1\t2\n3\n", "line 2 has 1 numbers, the lines before it have 2"),
        ("x.tsv", b"a\tb\n", "line 1 has 'a', want a number"),
        ("x.tsv", b"", "the file is empty"),
        ("x.tsv", b"\xff\xfe\x00", "line 1 is not text"),
        ("x.npy", b"", "not an array of NumPy"),
        ("x.npy", b"\x93NUMPY\x01\x00\xff\xff{", "not an array of NumPy"),
        ("x.npz", b"PK", "not a .npz archive"),
        ("x.safetensors", b"\xff" * 16, "not a safetensors file"),
        ("x.safetensors", b"\x02\0\0\0\0\0\0\0{}", "no matrix of numbers"),
        ("x.csv", b"", "the file is empty"),
        ("x.csv", b"a,b\nx,y\n", "no column of the file has numbers"),
        ("x.csv", b"a,b\n" + b"1,2\n" * 200 + b'"x,1\n', "not closed"),
        ("x.parquet", b"PAR1", "cannot be read"),
        ("x.arrow", b"ARROW1", "cannot be read"),
        ("x.pkl", b"\x80\x04.", "want one of .npy"),
    ],
)
def test_files_that_are_no_embeddings_are_rejected_with_a_sentence(
    client: TestClient, name: str, data: bytes, sentence: str
) -> None:
    answer = client.post(UPLOAD, params={"name": name}, content=data)
    assert (answer.status_code, sentence in answer.text) == (422, True), answer.text
    listed = client.get("/api/dashboards/projector/embeddings").json()["embeddings"]
    assert [entry for entry in listed if entry["name"].startswith("upload:")] == []


def test_an_upload_gets_metadata_and_stays_on_this_machine(client: TestClient, get: Get, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", MATRIX)
    ref = client.post(UPLOAD, params={"name": "x <b>.npy"}, content=(tmp_path / "x.npy").read_bytes()).json()
    assert get("info", **ref).json()["columns"] == []
    labels = client.post(UPLOAD, params={"name": "l.csv", "metadata_of": ref["name"]}, content=b"k\na\na\na\nb\nb\nb\n")
    assert labels.json() == ref
    assert [column["type"] for column in get("info", **ref).json()["columns"]] == ["category"]
    assert [entry["title"] for entry in get("embeddings").json()["embeddings"]] == ["x <b>.npy"]
    gone = client.post(UPLOAD, params={"name": "l.csv", "metadata_of": "upload:0"}, content=b"k\n")
    assert gone.status_code == 404


def test_exports(client: TestClient, get: Get, run: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    np.save(run / "v.npy", MATRIX)
    (run / "v.metadata.tsv").write_text("name\tn\n=1+1\t0.1\nb\t\nc\t2\nd\t3\ne\t4\nf\t5\n")
    body = {"run": "a", "name": "file:v.npy", "rows": [0, 1, 5]}
    table = client.post(EXPORT, json={**body, "format": "csv"})
    assert table.text.splitlines() == ["row,name,n", "0,'=1+1,0.1", "1,b,", "5,f,5"]
    raw = {"run": "a", "name": "file:v.npy", "center": False, "method": {"method": "raw", "components": [2, 0]}}
    placed = client.post(EXPORT, json={**body, "format": "csv", "picture": raw}).text.splitlines()
    assert placed[0] == "row,picture_x,picture_y,name,n"
    np.testing.assert_array_equal(np.float32(placed[2].split(",")[1:3]), MATRIX[1, [2, 0]])
    other = client.post(EXPORT, json={**body, "format": "csv", "picture": {**raw, "name": "file:w.npy"}})
    assert other.status_code == 400 and "of another embedding" in other.text
    (run / "out.npy").write_bytes(client.post(EXPORT, json={**body, "format": "npy"}).content)
    np.testing.assert_array_equal(np.load(run / "out.npy"), MATRIX[[0, 1, 5]])
    (run / "out.parquet").write_bytes(
        client.post(EXPORT, json={**body, "rows": None, "format": "parquet", "picture": raw}).content
    )
    found = parquet.read_table(run / "out.parquet")
    assert found.column_names == ["row", "picture_x", "picture_y", "name", "n", "vector"]
    assert found["picture_x"].to_pylist() == MATRIX[:, 2].tolist()
    np.testing.assert_array_equal(np.array(found["vector"].to_pylist(), np.float32), MATRIX)
    # What was exported is an embedding again.
    assert get("info", run="a", name="file:out.parquet").json()["dimensions"] == 4
    assert client.post(EXPORT, json={**body, "rows": [6], "format": "csv"}).status_code == 404


def test_rows_that_are_not_finite_are_left_out(get: Get, run: Path) -> None:
    matrix = MATRIX.copy()
    matrix[1, 2], matrix[4, 0] = np.nan, -np.inf
    np.save(run / "v.npy", matrix)
    assert get("info", run="a", name="file:v.npy").json()["left_out"] == 2
    assert rows_of(get("left_out", run="a", name="file:v.npy")) == [1, 4]


def test_a_file_that_was_replaced_is_read_again(get: Get, run: Path) -> None:
    np.save(run / "v.npy", MATRIX)
    first = get("info", run="a", name="file:v.npy").json()["content_id"]
    np.save(run / "new.npy", MATRIX + 1)
    (run / "new.npy").replace(run / "v.npy")
    os.utime(run / "v.npy", ns=(1, 1))
    assert get("info", run="a", name="file:v.npy").json()["content_id"] != first
    (run / "v.npy").unlink()
    assert get("info", run="a", name="file:v.npy").status_code == 404


@pytest.mark.parametrize(
    "path", ["../b.npy", "/etc/passwd", "link.npy", ".hidden.npy", "x\0.npy", "#", "missing.npz#a"]
)
def test_no_path_escapes_the_folder_of_the_run(get: Get, run: Path, path: str) -> None:
    np.save(run.parent / "b.npy", MATRIX)
    np.save(run / ".hidden.npy", MATRIX)
    (run / "link.npy").symlink_to(run.parent / "b.npy")
    assert get("info", run="a", name=f"file:{path}").status_code == 404


def test_a_file_of_twenty_gigabytes_is_not_read(get: Get, run: Path) -> None:
    header = json.dumps({"t": {"dtype": "F32", "shape": [5_000_000, 1000], "data_offsets": [0, 20_000_000_000]}})
    with (run / "big.safetensors").open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header.encode())
        file.truncate(20_000_000_100)  # sparse: it takes no room on the disk
    for name in ("big.tsv", "big.csv"):
        with (run / name).open("wb") as file:
            file.truncate(20_000_000_000)
    for name in ("big.safetensors#t", "big.tsv", "big.csv"):
        answer = get("info", run="a", name=f"file:{name}")
        assert (answer.status_code, "too large" in answer.text) == (422, True), answer.text
    assert get("embeddings").status_code == 200


def test_one_row_and_many_dimensions(get: Get, run: Path) -> None:
    (run / "wide.tsv").write_text(tsv(np.arange(100_000, dtype=np.float32)[None]))
    info = get("info", run="a", name="file:wide.tsv").json()
    assert (info["rows"], info["dimensions"], info["left_out"]) == (1, 100_000, 0)


def test_without_pyarrow_the_error_says_how_to_install_it(get: Get, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (run / "x.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = get("info", run="a", name="file:x.parquet")
    assert (answer.status_code, "pip install 'seamark[parquet]'" in answer.text) == (422, True)


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are UTF-8")
def test_a_file_whose_name_is_not_utf8_opens_with_its_metadata(get: Get, run: Path) -> None:
    np.save(run / os.fsdecode(b"caf\xe9.npy"), MATRIX)
    (run / os.fsdecode(b"caf\xe9.metadata.tsv")).write_text("\n".join("abcdef"))
    (listed,) = get("embeddings").json()["embeddings"]
    assert listed["title"] == r"caf\xe9.npy"
    info = get("info", run="a", name=listed["name"]).json()
    assert (info["rows"], [column["name"] for column in info["columns"]]) == (6, ["label"])


def test_the_state_of_an_optimizer_is_not_listed_but_what_it_trains_is(get: Get, run: Path) -> None:
    # The names that Keras 3 gives in a checkpoint of a compiled model.
    names = [
        *("opt/_variables/2", "optimizer/_trainable_variables/0", "optimizer/_variables/2"),
        *("model/optimizer/_trainable_variables/0", "model/optimizer/_variables/3"),
    ]
    write_checkpoint(run, tensors={f"{name}/.ATTRIBUTES/VARIABLE_VALUE".encode(): WEIGHTS for name in names})
    assert [one["title"] for one in get("embeddings").json()["embeddings"]] == [
        "model/optimizer/_trainable_variables/0",
        "optimizer/_trainable_variables/0",
    ]


def test_variables_of_a_checkpoint(client: TestClient, get: Get, run: Path) -> None:
    write_checkpoint(run)
    listed = get("embeddings").json()["embeddings"]
    assert [(entry["name"], entry["title"]) for entry in listed] == [
        ("config:counts", "counts"),
        ("config:weights", "weights"),
    ]
    infos = [get("info", run="a", name=entry["name"]).json() for entry in listed]
    assert [(info["rows"], info["dimensions"], info["dtype"]) for info in infos] == [(3, 2, "int64"), (4, 3, "float32")]
    rows = {"run": "a", "name": "config:weights", "format": "npy"}
    data = client.post(EXPORT, json=rows).content
    np.testing.assert_array_equal(np.load(io.BytesIO(data)), WEIGHTS)
    (run / "model-1.data-00000-of-00001").write_bytes(bytes(500))
    damaged = get("info", run="a", name="config:weights")
    assert (damaged.status_code, "checksum" in damaged.text) == (422, True)


def test_many_logs_in_csv_do_not_hide_an_embedding(get: Get, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_folder, "MAX_FILES", 3)
    for at in range(5):
        (run / f"metrics{at}.csv").write_text("step,loss\n1,0.5\n")
    np.save(run / "vectors.npy", MATRIX)
    listed = get("embeddings").json()
    assert [entry["name"] for entry in listed["embeddings"]] == ["file:vectors.npy"] and listed["more"]
    assert get("has_data").json() == {"has_data": True}


def test_shared_metadata_are_used_if_they_fit(get: Get, run: Path) -> None:
    (run / "deep").mkdir()
    np.save(run / "deep" / "six.npy", MATRIX)
    np.save(run / "deep" / "three.npy", MATRIX[:3])
    (run / "deep" / "metadata.tsv").write_text("a\nb\nc\nd\ne\nf\n")
    infos = [get("info", run="a", name=f"file:deep/{name}.npy").json() for name in ("six", "three")]
    assert [[column["name"] for column in info["columns"]] for info in infos] == [["label"], []]
    assert [info["problems"] for info in infos] == [[], []]

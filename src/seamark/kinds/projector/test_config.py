"""The projector's config file."""

from pathlib import Path

import pytest

from seamark.kinds.payload import DecodeError
from seamark.kinds.projector import config as projector
from seamark.kinds.projector.config import Embedding, ProjectorConfig, Sprite

CONFIG = ProjectorConfig(
    embeddings=(
        Embedding("words", "t.tsv", (10, 3), "m.tsv", "b.json", Sprite("s.png", (28, 28))),
        Embedding(tensor_path="ü.tsv"),
    ),
    model_checkpoint_path="model.ckpt",
    model_checkpoint_dir="dir",
)


def test_a_config_is_decoded_as_it_was_encoded() -> None:
    assert projector.decode(projector.encode(CONFIG).encode()) == CONFIG


def test_fields_of_newer_writers_are_skipped() -> None:
    text = b'embeddings { tensor_name: "w" new_field: 3 other { deep: "x" } }'
    assert projector.decode(text) == ProjectorConfig((Embedding("w"),))


@pytest.mark.parametrize("text", [b"embeddings {", b"embeddings: 3", b"\xff\xfe", b"a {" * 5000])
def test_an_invalid_config_is_an_error(text: bytes) -> None:
    with pytest.raises(DecodeError, match="projector config cannot be parsed"):
        projector.decode(text)


def test_assets_must_stay_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path)
    (folder / "in.tsv").touch()
    for inside in ("in.tsv", "sub/later.tsv", "sub/../in.tsv", str(folder / "in.tsv")):
        assert projector.assets_inside(folder, inside), inside
    for outside in ("../run2/x", "/etc/passwd", "out/x", "sub/../../x", "a\0b"):
        assert not projector.assets_inside(folder, outside), outside

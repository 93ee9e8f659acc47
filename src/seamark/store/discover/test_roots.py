"""Tests of parsing --logdir and --logdir_spec."""

from pathlib import Path

import pytest

from seamark.store import LogRoot, parse_logdir, parse_logdir_spec


def names_and_paths(roots: list[LogRoot]) -> list[tuple[str, str]]:
    return [(root.name, str(root.path)) for root in roots]


def test_a_single_directory_has_no_name_and_need_not_exist() -> None:
    assert names_and_paths(parse_logdir("/logs/today")) == [("", "/logs/today")]


def test_a_relative_directory_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert names_and_paths(parse_logdir("runs")) == [("", str(tmp_path / "runs"))]


def test_several_directories_are_named_by_their_folders() -> None:
    assert names_and_paths(parse_logdir("/x/cats,/x/dogs")) == [("cats", "/x/cats"), ("dogs", "/x/dogs")]


def test_folders_of_the_same_name_are_disambiguated_by_their_parents() -> None:
    roots = parse_logdir("/monday/logs,/tuesday/logs,/other")
    assert [root.name for root in roots] == ["monday/logs", "tuesday/logs", "other"]


def test_a_name_comes_before_its_path() -> None:
    expected = [("cats", "/x/1"), ("dogs", "/x/2")]
    assert names_and_paths(parse_logdir("cats:/x/1,dogs:/x/2")) == expected
    assert names_and_paths(parse_logdir_spec("cats:/x/1,dogs:/x/2")) == expected


def test_an_existing_folder_may_have_a_comma_or_colon_in_its_name(tmp_path: Path) -> None:
    odd = tmp_path / "lr:0.1,seed:2"
    odd.mkdir()
    assert names_and_paths(parse_logdir(str(odd))) == [("", str(odd))]


def test_a_pattern_expands_to_matching_folders(tmp_path: Path) -> None:
    for name in ("cats", "dogs"):
        (tmp_path / name).mkdir()
    (tmp_path / "notes.txt").touch()
    assert [root.name for root in parse_logdir(f"{tmp_path}/*")] == ["cats", "dogs"]
    assert [root.name for root in parse_logdir(f"pets:{tmp_path}/*")] == ["pets/cats", "pets/dogs"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no log directory given"),
        (" , ", "no log directory given"),
        ("ftp://host/logs", "want a folder, a bucket with s3://, gs:// or az://, or a published site with https://"),
        ("s3://key@bucket/logs", "set them as environment variables"),
        ("/nowhere/at/all/*", "no folder matches"),
        ("cats:", "no path after the name"),
    ],
)
def test_invalid_log_directories_are_rejected_with_a_message(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        parse_logdir(text)


def test_run_names_begin_with_the_name_of_their_root() -> None:
    assert LogRoot("", Path("/x")).run_name("") == "."
    assert LogRoot("", Path("/x")).run_name("a/b") == "a/b"
    assert LogRoot("cats", Path("/x")).run_name("") == "cats"
    assert LogRoot("cats", Path("/x")).run_name("a/b") == "cats/a/b"


def test_a_bucket_is_known_by_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    one, two = parse_logdir("s3://bucket/a/,s3://bucket/b")
    assert (one.name, one.address, one.shown) == ("a", "s3://bucket/a", "s3://bucket/a")
    assert (two.name, two.address) == ("b", "s3://bucket/b")
    assert one.path != two.path

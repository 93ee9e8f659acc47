"""Tests of what a user may give as a log directory."""

from pathlib import Path

import pytest

from seamark.store import LogRoot, default_index_dir, index_path, parse_logdir, parse_logdir_spec


def names_and_paths(roots: list[LogRoot]) -> list[tuple[str, str]]:
    return [(root.name, str(root.path)) for root in roots]


def test_a_lone_directory_has_no_name_and_need_not_exist() -> None:
    assert names_and_paths(parse_logdir("/logs/today")) == [("", "/logs/today")]


def test_a_relative_directory_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert names_and_paths(parse_logdir("runs")) == [("", str(tmp_path / "runs"))]


def test_several_directories_are_called_by_their_folders() -> None:
    assert names_and_paths(parse_logdir("/x/cats,/x/dogs")) == [("cats", "/x/cats"), ("dogs", "/x/dogs")]


def test_folders_of_the_same_name_are_told_apart_by_what_is_above() -> None:
    roots = parse_logdir("/monday/logs,/tuesday/logs,/other")
    assert [root.name for root in roots] == ["monday/logs", "tuesday/logs", "other"]


def test_a_name_comes_before_its_path() -> None:
    expected = [("cats", "/x/1"), ("dogs", "/x/2")]
    assert names_and_paths(parse_logdir("cats:/x/1,dogs:/x/2")) == expected
    assert names_and_paths(parse_logdir_spec("cats:/x/1,dogs:/x/2")) == expected


def test_a_drive_letter_is_not_a_name() -> None:
    (root,) = parse_logdir("C:\\logs")
    assert root.name == ""
    (root,) = parse_logdir_spec("cats:C:\\logs")
    assert (root.name, root.path.name) == ("cats", "C:\\logs")


def test_a_folder_with_a_comma_or_a_colon_in_its_name_is_taken_as_it_stands(tmp_path: Path) -> None:
    odd = tmp_path / "lr:0.1,seed:2"
    odd.mkdir()
    assert names_and_paths(parse_logdir(str(odd))) == [("", str(odd))]


def test_a_pattern_stands_for_the_folders_it_matches(tmp_path: Path) -> None:
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
        ("gs://bucket/logs", "remote log directories cannot be read"),
        ("cats:s3://bucket/logs", "remote log directories cannot be read"),
        ("/nowhere/at/all/*", "no folder matches"),
        ("cats:", "no path after the name"),
    ],
)
def test_what_cannot_be_a_log_directory_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        parse_logdir(text)


def test_run_names_begin_with_the_name_of_their_root() -> None:
    assert LogRoot("", Path("/x")).run_name("") == "."
    assert LogRoot("", Path("/x")).run_name("a/b") == "a/b"
    assert LogRoot("cats", Path("/x")).run_name("") == "cats"
    assert LogRoot("cats", Path("/x")).run_name("a/b") == "cats/a/b"


def test_the_index_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_index_dir() == tmp_path / "seamark" / "index"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert default_index_dir() == Path.home() / ".cache" / "seamark" / "index"


def test_two_names_of_one_folder_share_an_index(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert index_path(tmp_path, tmp_path / "link") == index_path(tmp_path, tmp_path / "real")
    assert index_path(tmp_path, tmp_path / "real") != index_path(tmp_path, tmp_path)

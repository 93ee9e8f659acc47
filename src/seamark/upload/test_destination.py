"""Server, project and token: where they come from, and what is wrong with them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from seamark.upload.destination import Destination, find_destination, save_token
from seamark.upload.errors import SettingsError


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("SEAMARK_SERVER", "SEAMARK_TOKEN", "SEAMARK_PROJECT"):
        monkeypatch.delenv(name, raising=False)


def test_arguments_go_before_the_environment_and_that_before_login(monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_token("https://saved.example", "smk_saved")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert find_destination(project="a/b") == Destination("https://saved.example", "a/b", "smk_saved")
    monkeypatch.setenv("SEAMARK_SERVER", "https://env.example/")
    monkeypatch.setenv("SEAMARK_TOKEN", "smk_env")
    monkeypatch.setenv("SEAMARK_PROJECT", "c/d")
    assert find_destination() == Destination("https://env.example", "c/d", "smk_env")
    assert find_destination("https://given.example:8443/x", "e/f").server == "https://given.example:8443/x"


@pytest.mark.parametrize("server", ["", "example.org", "ftp://example.org", "https://", "http://host:99999999"])
def test_an_address_that_cannot_be_is_an_error(server: str) -> None:
    with pytest.raises(SettingsError, match="server"):
        find_destination(server, "a/b", needs_token=False)


@pytest.mark.parametrize("project", ["", "name", "a/b/c", "A/b", "a/../b", "a b/c"])
def test_a_project_needs_an_organisation(project: str) -> None:
    with pytest.raises(SettingsError, match="organisation/name"):
        find_destination("https://example.org", project)


def test_a_token_is_needed_to_send_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="run seamark login"):
        find_destination("https://example.org", "a/b")
    assert find_destination("https://example.org", "a/b", needs_token=False).token == ""
    monkeypatch.setenv("SEAMARK_TOKEN", "smk_secret\r\nX-Evil: 1")
    with pytest.raises(SettingsError, match="characters that no token has") as error:
        find_destination("https://example.org", "a/b")
    assert "smk_secret" not in str(error.value)
    assert "smk_secret" not in repr(Destination("https://example.org", "a/b", "smk_secret"))

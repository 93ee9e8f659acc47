"""Names, notes and pins of a project: the same in every process of the server, and announced to open pages."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from seamark.serve.state.database import FILE_NAME, StateDatabase
from seamark.serve.state.state import State, WrongVersionError
from seamark.team.projects.opened import OpenedProject, View
from seamark.team.serving import open_team
from seamark.team.settings import TeamFolder, TeamSettings
from seamark.team.team import Team
from tools.in_process_team import InProcessTeam, in_process_team

STATE = "/p/lab/vision/api/state"
COMMENTS = "/team/api/projects/lab/vision/comments"
NOTIFICATIONS = "/team/api/notifications"


@contextmanager
def two_processes(tmp_path: Path, settings: TeamSettings) -> Iterator[tuple[InProcessTeam, Team]]:
    """A server, and another one with the same database: SQLite in the same folder, PostgreSQL from its own."""
    with in_process_team(tmp_path / "one", settings) as first:
        folder = TeamFolder(tmp_path / ("other" if settings.database else "one"))
        if settings.database:
            folder.create(settings)
        other = open_team(folder.path, passwords=first.team.passwords)
        try:
            yield first, other
        finally:
            other.database.close()


def test_every_process_has_the_same_names_and_colours(tmp_path: Path, settings: TeamSettings) -> None:
    with two_processes(tmp_path, settings) as (first, other), ExitStack() as closing:
        writer, project_id = first.person("writer"), first.project.id
        states = [team.projects.project_state(project_id) for team in (first.team, other)]
        for state in states:
            closing.callback(state.close)
        mine, theirs = states
        changed = writer.patch(STATE, {"version": 0, "runs": {"a": {"label": "baseline", "note": "ü\0"}}}).json()
        assert theirs.read() == changed
        theirs.patch(1, {"pins": [{"plugin": "scalars", "tag": "loss"}]})
        with pytest.raises(WrongVersionError):
            mine.patch(1, {"pins": []})
        assert writer.get(STATE).json()["pins"] == [{"plugin": "scalars", "tag": "loss"}]
        assert mine.positions(["a", "b"]) == {"a": 0, "b": 1}
        assert theirs.positions(["c", "b"]) == {"c": 2, "b": 1}
        id = mine.save_text("rows of a and b" * 1000)
        assert theirs.text(id) == "rows of a and b" * 1000
        assert writer.get(f"{STATE}/texts", params={"id": "no\0id"}).status_code == 404
        theirs.forget_runs(["a"])
        assert mine.read()["runs"] == {} and mine.text(id) is None
        assert mine.positions(["b"]) == {"b": 1}


def test_a_deleted_project_takes_its_state_along(tmp_path: Path, settings: TeamSettings) -> None:
    with in_process_team(tmp_path / "one", settings) as team:
        team.person("writer").patch(STATE, {"version": 0, "runs": {"a": {"note": "secret"}}})
        team.team.write(lambda transaction: transaction.execute("DELETE FROM projects WHERE id = ?", team.project.id))
        assert team.team.read(lambda transaction: transaction.rows("SELECT * FROM saved_states")) == []


def test_a_database_that_is_away_is_a_sentence_without_its_address(tmp_path: Path) -> None:
    with in_process_team(tmp_path / "one") as team:
        writer = team.person("writer")
        assert writer.get(STATE).status_code == 200
        state = team.team.projects.project_state(team.project.id)
        team.team.write(lambda transaction: transaction.execute("DROP TABLE saved_states"))
        response = writer.get(STATE)
        assert response.status_code == 503
        assert "the server does not answer" in response.json()["error"] and str(tmp_path) not in response.text
        with pytest.raises(Exception, match="the server does not answer"):
            state.read()
        assert "the server does not answer" in state.problem


def write_earlier_file(folder: TeamFolder, project_id: str) -> str:
    """As the version before had it: a file in the folder of the project. Returns the id of a saved text."""
    key = hashlib.blake2b(project_id.encode(), digest_size=12).hexdigest()
    state = State(None, [], storage=StateDatabase(folder.state_dir(project_id), key))
    state.patch(0, {"runs": {"a": {"note": "earlier", "star": True}}, "pins": [1], "views": {"mine": {"x": 1}}})
    state.positions(["b", "a"])
    id = state.save_text("a text")
    state.close()
    return id


def test_a_file_of_an_earlier_version_is_moved_into_the_database(tmp_path: Path, settings: TeamSettings) -> None:
    with in_process_team(tmp_path / "one", settings) as team:
        folder, project_id = team.team.folder, team.project.id
        team.team.projects.project_state(project_id).patch(0, {"runs": {"a": {"note": "later"}}})
        id = write_earlier_file(folder, project_id)
        state = team.team.projects.project_state(project_id)
        document = state.read()
        assert document["runs"] == {"a": {"note": "later", "star": True}}, "what is in the database wins"
        assert (document["pins"], document["views"]) == ([1], {"mine": {"x": 1}})
        assert state.positions(["a", "b"]) == {"b": 0, "a": 1}
        assert state.text(id) == "a text"
        assert not list(folder.state_dir(project_id).glob(f"{FILE_NAME}*")), "notes of deleted runs must not stay"
        again = team.team.projects.project_state(project_id)
        assert again.read()["version"] == document["version"], "it is moved once"


def test_a_damaged_file_of_an_earlier_version_stays(tmp_path: Path) -> None:
    with in_process_team(tmp_path / "one") as team:
        file = team.team.folder.state_dir(team.project.id) / FILE_NAME
        file.parent.mkdir(parents=True)
        file.write_bytes(b"not a database at all" * 100)
        assert team.team.projects.project_state(team.project.id).read()["version"] == 0
        assert file.exists()


class PageStream:
    """The server-sent events of one page."""

    def __init__(self, opened: OpenedProject, user_id: str) -> None:
        self._messages: AsyncIterator[bytes] = opened.live.messages(None, user_id)

    async def until(self, *wanted: str) -> dict[str, str]:
        """Reads on to messages of these kinds. Returns the last version of each kind on the way."""
        versions: dict[str, str] = {}
        while not versions.keys() >= set(wanted):
            text = (await asyncio.wait_for(anext(self._messages), 20)).decode()
            fields = dict(line.split(": ", 1) for line in text.strip().splitlines() if ": " in line)
            if fields.get("event", "progress") != "progress":
                versions[fields["event"]] = str(json.loads(fields["data"]).get("version"))
        return versions


def test_pages_are_told_what_other_processes_changed(tmp_path: Path, settings: TeamSettings) -> None:
    with two_processes(tmp_path, settings) as (first, other):
        viewer, admin = first.users["viewer"].id, first.users["admin"].id

        def current(address: str) -> str:
            found: str = first.person("viewer").get(address).json()["version"]
            return found

        async def story() -> None:
            async with other.projects.use(View(first.project.id)) as opened:
                page, of_admin = PageStream(opened, viewer), PageStream(opened, admin)
                for stream in (page, of_admin):
                    await stream.until("hello")
                await other.announcer.announce()
                told = await page.until("comments", "notifications")
                assert (told["comments"], told["notifications"]) == (current(COMMENTS), current(NOTIFICATIONS))
                assert (await of_admin.until("comments", "notifications"))["comments"] == told["comments"]

                body = {"run": "a", "text": "look, @viewer"}
                made = first.person("writer").post(COMMENTS, body).json()
                opened_state = first.team.projects.project_state(first.project.id)
                opened_state.patch(0, {"runs": {"a": {"note": "new"}}})
                await other.announcer.announce()
                news = await page.until("comments", "notifications", "state")
                assert news == {"comments": current(COMMENTS), "state": "1", "notifications": current(NOTIFICATIONS)}
                assert news["comments"] != told["comments"] and news["notifications"] != told["notifications"]

                first.person("writer").patch(f"{COMMENTS}/{made['id']}", {"text": "changed"})
                await other.announcer.announce()
                assert await page.until("comments") == {"comments": current(COMMENTS)}
                # What was for the viewer alone was not sent to anybody else.
                assert set(await of_admin.until("comments", "state")) == {"comments", "state"}
            await other.projects.close()

        asyncio.run(story())

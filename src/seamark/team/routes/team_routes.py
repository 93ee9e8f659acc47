"""TeamRoutes: what the handlers of every group of routes have."""

from __future__ import annotations

from seamark.team.team import Team


class TeamRoutes:
    def __init__(self, team: Team) -> None:
        self._team = team

"""The names, tags and notes of a run. A change is written to run.json."""

from __future__ import annotations

from typing import Any

from seamark.write.run.run_base import RunBase


class Identity(RunBase):
    @property
    def id(self) -> str:
        return self._record.id

    @property
    def name(self) -> str:
        return self._record.name

    @property
    def project(self) -> str:
        return self._record.project

    @property
    def group(self) -> str:
        return self._record.group

    @property
    def tags(self) -> tuple[str, ...]:
        return self._record.tags

    @tags.setter
    def tags(self, tags: Any) -> None:
        self._record.tags = tuple(str(tag) for tag in tags)
        self._touch()

    @property
    def notes(self) -> str:
        return self._record.notes

    @notes.setter
    def notes(self, notes: str) -> None:
        self._record.notes = str(notes)
        self._touch()

    @property
    def status(self) -> str:
        return self._record.status

    @property
    def start_time(self) -> float:
        return self._record.started_at

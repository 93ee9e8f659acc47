"""The settings of a team server: one JSON file in its folder, written by `seamark team init`."""

from __future__ import annotations

from pathlib import Path

import msgspec

FILE_NAME = "team.json"
# The layout of the folder. A later program reads earlier ones; an earlier one refuses a later one.
LAYOUT = 1


class TeamSettings(msgspec.Struct, frozen=True, kw_only=True):
    """`database` "" is SQLite in the folder; `storage` "" is the folder itself."""

    layout: int = LAYOUT
    database: str = ""  # postgresql://…
    storage: str = ""  # s3://…
    points: str = ""  # clickhouse://…: where pages take points from; "" is the index beside the files
    trash_days: float = 30.0  # how long deleted runs can be restored
    allow_private_webhooks: bool = False  # whether webhooks may lead to addresses of the server's own network
    public_url: str = ""  # what links begin with, if a proxy is in front; "" takes it from the request


class NoTeamError(Exception):
    """The folder holds no team server, or one that this program cannot open; the message is for the user."""


class TeamFolder:
    """Where the files of a team server are."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def settings_file(self) -> Path:
        return self.path / FILE_NAME

    @property
    def database_file(self) -> Path:
        return self.path / "team.sqlite"

    @property
    def journal_dir(self) -> Path:
        return self.path / "journal"

    def project_dir(self, project_id: str) -> Path:
        return self.path / "projects" / project_id

    def project_dirs(self) -> list[Path]:
        return [path for path in (self.path / "projects").glob("*") if path.is_dir()]

    def logs_dir(self, project_id: str) -> Path:
        """The log directory with the runs of a project."""
        return self.project_dir(project_id) / "logs"

    def index_dir(self, project_id: str) -> Path:
        return self.project_dir(project_id) / "index"

    def state_dir(self, project_id: str) -> Path:
        """Where earlier versions had names, notes and pins, which are in the database now."""
        return self.project_dir(project_id) / "state"

    def trash_dir(self, project_id: str) -> Path:
        """The runs that were deleted, each in a folder named by its id, until they are purged."""
        return self.project_dir(project_id) / "trash"

    def share_dir(self, project_id: str, share_id: str) -> Path:
        """The log directory of an opened share: links to the files of its runs."""
        return self.shares_dir(project_id) / share_id

    def shares_dir(self, project_id: str) -> Path:
        return self.project_dir(project_id) / "shares"

    def all_share_dirs(self) -> list[Path]:
        return list((self.path / "projects").glob("*/shares/*"))

    def create(self, settings: TeamSettings) -> None:
        """Raises NoTeamError if the folder is in use already."""
        self.check_free()
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.settings_file.write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
        self.settings_file.chmod(0o600)  # the address of a database may have a password

    def check_free(self) -> None:
        """Raises NoTeamError."""
        if self.settings_file.exists():
            raise NoTeamError(f"there is a team server in this folder already: '{self.path}'")
        if self.path.is_dir() and any(self.path.iterdir()):
            raise NoTeamError(f"want an empty or new folder for a team server: '{self.path}'")

    def read(self) -> TeamSettings:
        """Raises NoTeamError."""
        try:
            settings = msgspec.json.decode(self.settings_file.read_bytes(), type=TeamSettings)
        except FileNotFoundError:
            raise NoTeamError(f"no team server is here; create one with seamark team init: '{self.path}'") from None
        except (OSError, msgspec.MsgspecError) as error:
            raise NoTeamError(f"the settings cannot be read ({error}): '{self.settings_file}'") from None
        if settings.layout > LAYOUT:
            raise NoTeamError(
                f"this team server was made by a later version of Seamark (layout {settings.layout}, "
                f"this one knows {LAYOUT}); upgrade with pip install -U seamark: '{self.path}'"
            )
        return settings

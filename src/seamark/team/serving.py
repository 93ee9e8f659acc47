"""Runs a team server until Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import msgspec
import uvicorn

from seamark.clickhouse.address import AddressError
from seamark.serve import ENDING_SECS
from seamark.serve.http.connections import IdleConnections, max_connections
from seamark.serve.http.hosts import host_check
from seamark.serve.server import ListenOptions, listen, make_url
from seamark.team.access.identities import Identities
from seamark.team.accounts.passwords import Passwords
from seamark.team.accounts.setup_code import new_setup_code
from seamark.team.app import create_team_app
from seamark.team.database import Database, open_database
from seamark.team.ingest.ingest import Ingest
from seamark.team.notify.announce import Announcer
from seamark.team.notify.deliver import Delivery
from seamark.team.notify.evaluate import Evaluation
from seamark.team.projects.opened import OpenedProjects
from seamark.team.projects.stores import FileStores, ProjectStores
from seamark.team.retention.retention import Retention
from seamark.team.settings import NoTeamError, TeamFolder, TeamSettings
from seamark.team.sharing.opened_shares import OpenedShares
from seamark.team.team import Team
from seamark.team.trash.trash import Trash

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class TeamServeOptions:
    """How clients reach the server. `key` "" : the certificate's file has it as well."""

    host: str = "localhost"
    port: int | None = None
    allowed_hosts: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: bool = False
    points: str | None = None  # None: as in the settings

    @property
    def listening(self) -> ListenOptions:
        return ListenOptions(host=self.host, port=self.port, allowed_hosts=self.allowed_hosts)


def open_team(path: Path, *, points: str | None = None, passwords: Passwords | None = None) -> Team:
    """`points` replaces that of the settings, `passwords` the usual costs. Raises NoTeamError or DatabaseError."""
    folder = TeamFolder(path)
    settings = folder.read()
    if points is not None:
        settings = msgspec.structs.replace(settings, points=points)
    database = open_database(folder, settings)
    stores = open_stores(folder, database, settings)
    projects = OpenedProjects(folder, database, stores)
    shares = OpenedShares(folder, database, projects)
    ingest = Ingest(folder, database, settings.storage, on_change=stores.files_written)
    return Team(
        folder=folder,
        settings=settings,
        database=database,
        identities=Identities(database),
        projects=projects,
        ingest=ingest,
        shares=shares,
        trash=Trash(folder, database, projects, shares, ingest, days=settings.trash_days),
        retention=Retention(folder, database, replace_file=ingest.replace_file),
        evaluation=Evaluation(folder, database, projects),
        delivery=Delivery(database, settings),
        announcer=Announcer(database, projects),
        passwords=passwords or Passwords(),
    )


def open_stores(folder: TeamFolder, database: Database, settings: TeamSettings) -> ProjectStores:
    """Raises NoTeamError."""
    if not settings.points:
        return FileStores(folder)
    from seamark.team.points.stores import ClickHouseStores  # most servers have no ClickHouse

    try:
        return ClickHouseStores(folder, database, settings.points, has_peers=bool(settings.storage))
    except AddressError as error:
        raise NoTeamError(f"--points: {error}") from None


def serve_team(path: Path, options: TeamServeOptions) -> int:
    """Raises NoTeamError, DatabaseError or PortError."""
    if options.certificate is not None:
        check_certificate(options.certificate, options.key)
    opened = open_team(path, points=options.points)
    is_secure = options.certificate is not None or opened.settings.public_url.startswith("https://")
    team = replace(opened, is_secure=is_secure, trusts_proxy=options.behind_proxy)
    listener = listen(options.host, options.port)
    names = known_names(options, team.settings)
    # Everybody has to sign in, so that a page that rebinds a name has no cookie for it.
    app = create_team_app(
        team, is_allowed_host=host_check(options.host, has_token=True, allowed=names), trusted_names=names
    )
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=ENDING_SECS,
        proxy_headers=False,  # TeamGuard reads them, if there is a proxy
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
    )
    address = make_url(listener, options.listening)
    if options.certificate is not None:
        address = address.replace("http://", "https://", 1)
    announce(team, options, address)
    try:
        asyncio.run(TeamServer(config, team).serve(sockets=[listener]))
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()
        team.database.close()
    return 0


def announce(team: Team, options: TeamServeOptions, address: str) -> None:
    public = f"{team.settings.public_url.rstrip('/')}/" if team.settings.public_url else address
    print(f"The team server is at {public}  (Ctrl-C stops it)", flush=True)
    if not options.listening.is_local and options.certificate is None and not options.behind_proxy:
        LOG.warning(
            "passwords and runs cross the network unencrypted: give --certificate and --key, or put a proxy with HTTPS "
            "in front and say so with --behind_proxy"
        )
    code = team.write(new_setup_code)
    if code is not None:
        print(f"To create the first admin, open {public}setup and enter this code: {code}", flush=True)


def known_names(options: TeamServeOptions, settings: TeamSettings) -> tuple[str, ...]:
    """Host names that browsers may use, besides that of the machine."""
    public = urlsplit(settings.public_url).hostname if settings.public_url else None
    return (*options.allowed_hosts, *([public] if public else []))


def check_certificate(certificate: Path, key: Path | None) -> None:
    """Before anything is opened. Raises NoTeamError."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise NoTeamError(
            f"the certificate or its key cannot be used ({error}); want PEM files, --certificate with the whole chain: "
            f"'{certificate}'"
        ) from None


class TeamServer(uvicorn.Server):
    """Ends the event streams of pages first: uvicorn waits for open responses. Closes idle connections, too."""

    def __init__(self, config: uvicorn.Config, team: Team) -> None:
        super().__init__(config)
        self._team = team
        self._idle = IdleConnections(max_connections=max_connections())

    async def on_tick(self, counter: int) -> bool:
        self._idle.close_idle(self.server_state.connections, time.monotonic())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._team.projects.end_streams()
        super().handle_exit(sig, frame)

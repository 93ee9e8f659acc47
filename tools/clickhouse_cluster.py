"""Starts a ClickHouse cluster on this machine, several shards, in a folder; and stops it.

    python tools/clickhouse_cluster.py start FOLDER [--shards 2] [--replicas 1] [--port 8123]
    python tools/clickhouse_cluster.py stop FOLDER

The server is Debian's (`apt-get install clickhouse-server`). Server i answers HTTP on the given port + i; the replicas
of a shard follow each other. More than one replica needs ZooKeeper (`apt-get install zookeeper`).
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

CLUSTER = "seamark"
START_SECS = 60.0
# Parts that were merged stay for a crash of the machine; after the default of 480 s, those of a long ingestion take
# several times the space of the points.
OLD_PARTS_SECS = 30
# HTTP, the native protocol, the exchange between replicas, and HTTPS: each a group of ports, one for each server.
PORT_GROUP = 10
PORT_GROUPS = 4
PLACES = ("/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server")

CONFIG = """<yandex>
  <logger><level>warning</level><log>{folder}/server.log</log><errorlog>{folder}/error.log</errorlog></logger>
  <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><interserver_http_port>{inter}</interserver_http_port>
  <listen_host>127.0.0.1</listen_host>
  <path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path>
  <users_config>{folder}/users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>536870912</mark_cache_size>
  <merge_tree><old_parts_lifetime>{old_parts_secs}</old_parts_lifetime></merge_tree>
  <compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio>
    <method>zstd</method></case></compression>
  <remote_servers><{cluster}>{shards}</{cluster}></remote_servers>
  {more}
</yandex>
"""
SHARD = "<shard><internal_replication>true</internal_replication>{replicas}</shard>"
REPLICA = "<replica><host>127.0.0.1</host><port>{tcp}</port>{login}</replica>"
# Only with replicas: 18.16 has no keeper of its own.
REPLICATION = (
    "<interserver_http_host>127.0.0.1</interserver_http_host>"
    "<zookeeper><node><host>127.0.0.1</host><port>{zookeeper}</port></node></zookeeper>"
    "<macros><shard>{shard}</shard><replica>{replica}</replica></macros>"
)
TLS = (
    "<https_port>{https}</https_port><openSSL><server><certificateFile>{certificate}</certificateFile>"
    "<privateKeyFile>{key}</privateKeyFile><verificationMode>none</verificationMode>"
    "<loadDefaultCAFile>false</loadDefaultCAFile><cacheSessions>false</cacheSessions></server></openSSL>"
)
ZOOKEEPER = Path("/usr/share/java/zookeeper.jar")
USERS = """<yandex>
  <profiles><default><max_memory_usage>6000000000</max_memory_usage></default></profiles>
  <users><{user}><password>{password}</password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota></{user}></users>
  <quotas><default/></quotas>
</yandex>
"""


def find_server() -> str | None:
    """Returns the path of the server, or None if it is not installed."""
    return shutil.which("clickhouse-server") or next((place for place in PLACES if Path(place).exists()), None)


def free_port(servers: int) -> int:
    """Returns a port behind which all ports of a cluster are free."""
    # Workers of one test run look for ports at the same time.
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    for base in range(7310 + worker * 1000, 62000, PORT_GROUPS * PORT_GROUP):
        wanted = [base + server + group * PORT_GROUP for server in range(servers) for group in range(PORT_GROUPS)]
        if not any(map(is_listening, wanted)):
            return base
    raise SystemExit("no free ports")


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Cluster:
    """The servers of one folder."""

    def __init__(
        self,
        folder: Path,
        *,
        shards: int = 2,
        replicas: int = 1,
        port: int = 8123,
        user: str = "default",
        password: str = "",
        certificate: tuple[Path, Path] | None = None,
    ):
        """`certificate`: files of a certificate and its key; then servers also answer HTTPS."""
        self.folder = folder
        self.ports = [port + server for server in range(shards * replicas)]
        self._replicas = replicas
        self._certificate = certificate
        self._port = port
        self._user = user
        self._password = password

    @property
    def hosts(self) -> str:
        return ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def start(self) -> None:
        server = find_server()
        if server is None:
            raise SystemExit("clickhouse-server is not installed; run apt-get install clickhouse-server")
        for port in self.ports:
            if is_listening(port):  # its databases would be taken for those of this cluster
                raise SystemExit(f"another program listens on port {port}; stop it, or give another --port")
        if self._replicas > 1:
            self._start_zookeeper()
        for shard in range(len(self.ports)):
            self.start_shard(shard, server)
        for shard in range(len(self.ports)):
            self.wait(shard)

    def start_shard(self, shard: int, server: str | None = None) -> None:
        folder = self.folder.absolute() / f"shard{shard}"
        folder.mkdir(parents=True, exist_ok=True)
        login = f"<user>{self._user}</user><password>{self._password}</password>"
        replicas = [REPLICA.format(tcp=self._tcp(at), login=login) for at in range(len(self.ports))]
        count = self._replicas
        shards = "".join(
            SHARD.format(replicas="".join(replicas[at : at + count])) for at in range(0, len(replicas), count)
        )
        config = CONFIG.format(
            folder=folder, http=self.ports[shard], tcp=self._tcp(shard), inter=self._tcp(shard) + PORT_GROUP,
            cluster=CLUSTER, shards=shards, more=self._more(shard), old_parts_secs=OLD_PARTS_SECS,
        )  # fmt: skip
        (folder / "config.xml").write_text(config)
        (folder / "users.xml").write_text(USERS.format(user=self._user, password=self._password))
        with (folder / "output.txt").open("ab") as output:
            process = subprocess.Popen(
                [server or find_server() or "", f"--config-file={folder}/config.xml"],
                cwd=folder, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        (folder / "pid").write_text(str(process.pid))

    def wait(self, shard: int) -> None:
        """Waits until the shard answers."""
        deadline = time.monotonic() + START_SECS
        while time.monotonic() < deadline:
            connection = http.client.HTTPConnection("127.0.0.1", self.ports[shard], timeout=2)
            try:
                connection.request("GET", "/ping")
                if connection.getresponse().status == 200:
                    return
            except OSError:
                time.sleep(0.05)
            finally:
                connection.close()
        raise SystemExit(f"a shard does not answer; see '{self.folder / f'shard{shard}' / 'error.log'}'")

    def stop(self, *, how: int = signal.SIGTERM) -> None:
        for folder in [*sorted(self.folder.glob("shard*")), self.folder / "zookeeper"]:
            stop_shard(folder, how=how)

    def https_port(self, shard: int) -> int:
        return self._tcp(shard) + 2 * PORT_GROUP

    def _more(self, server: int) -> str:
        found = ""
        if self._replicas > 1:
            shard, replica = divmod(server, self._replicas)
            found += REPLICATION.format(zookeeper=self._zookeeper_port, shard=shard, replica=replica)
        if self._certificate is not None:
            certificate, key = self._certificate
            found += TLS.format(https=self.https_port(server), certificate=certificate, key=key)
        return found

    @property
    def _zookeeper_port(self) -> int:
        return self._port + PORT_GROUP - 1

    def _start_zookeeper(self) -> None:
        if not ZOOKEEPER.exists():
            raise SystemExit("ZooKeeper is not installed; run apt-get install zookeeper")
        folder = self.folder.absolute() / "zookeeper"
        folder.mkdir(parents=True, exist_ok=True)
        command = [
            "java", "-Xmx128m", "-cp", f"{ZOOKEEPER.parent}/*", "-Dzookeeper.admin.enableServer=false",
            "org.apache.zookeeper.server.ZooKeeperServerMain", str(self._zookeeper_port), str(folder / "data"),
        ]  # fmt: skip
        with (folder / "output.txt").open("ab") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
        (folder / "pid").write_text(str(process.pid))
        wait_for_zookeeper(self._zookeeper_port)

    def cpu_secs(self) -> float:
        """Returns the processor time that the servers have used."""
        ticks = 0
        for file in self.folder.glob("shard*/pid"):
            fields = Path(f"/proc/{file.read_text()}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def kill_shard(self, shard: int) -> None:
        stop_shard(self.folder / f"shard{shard}", how=signal.SIGKILL)

    def _tcp(self, shard: int) -> int:
        return self._port + PORT_GROUP + shard


def stop_shard(folder: Path, *, how: int = signal.SIGTERM) -> None:
    """Ends the server of one folder and waits until it is gone."""
    file = folder / "pid"
    if not file.exists():
        return
    pid = int(file.read_text())
    try:
        # A process that got the number of a server that ended is left alone.
        if re.search(b"clickhouse|zookeeper", Path(f"/proc/{pid}/cmdline").read_bytes()):
            os.kill(pid, how)
            while _is_running(pid):
                time.sleep(0.02)
    except (FileNotFoundError, ProcessLookupError):
        pass
    file.unlink()


def wait_for_zookeeper(port: int) -> None:
    """Waits until it serves: it accepts connections before, and closes them."""
    deadline = time.monotonic() + START_SECS
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
                connection.sendall(b"srvr")
                with connection.makefile("rb") as answer:
                    if b"Mode:" in answer.read():
                        return
        except OSError:
            pass
        time.sleep(0.05)
    raise SystemExit(f"ZooKeeper does not answer on port {port}")


def _is_running(pid: int) -> bool:
    try:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return False
    except ChildProcessError:
        pass  # of another process: look it up
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["start", "stop"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument("--port", type=int, default=8123)
    args = parser.parse_args()
    cluster = Cluster(args.folder, shards=args.shards, replicas=args.replicas, port=args.port)
    if args.what == "stop":
        cluster.stop()
        return 0
    cluster.start()
    print(f"clickhouse://{cluster.hosts}/seamark   (--cluster {CLUSTER})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

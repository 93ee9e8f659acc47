"""Write runs as a static site: the whole page, read-only, for any web host."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection
from getpass import getpass
from pathlib import Path

from seamark.cli.arguments import log_directory, open_runs, state_notes
from seamark.cli.arguments.parser import add_logdir
from seamark.cli.arguments.patterns import pattern
from seamark.cli.output.number_format import counted, size
from seamark.cli.output.progress_bar import ProgressBar
from seamark.compare import QueryError, RunTable, UnknownColumnError
from seamark.format.types import RunName
from seamark.publish import (
    LOGGED_PARTS,
    PARTS,
    ForeignFolderError,
    NoCryptographyError,
    NoPageError,
    PassphraseSealer,
    PlainSealer,
    Sealer,
    SiteFolder,
    SitePlan,
    SiteSize,
    Spool,
    WrongPassphraseError,
    gather,
)
from seamark.store import LogRoot, Store

REDRAW_SECS = 0.1
DEFAULT_MAX_MB = 1000.0
PASSPHRASE_VARIABLE = "SEAMARK_PASSPHRASE"
MIN_PASSPHRASE = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_logdir(parser)
    log_directory.add_index_dir(parser)
    state_notes.add_state_dir(parser)
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder of the site")
    parser.add_argument("--query", default="", metavar="EXPR", help="only runs that match, as in seamark query")
    parser.add_argument(
        "--runs", type=pattern, default=pattern(""), metavar="REGEX", help="only runs whose name matches"
    )
    parser.add_argument(
        "--without",
        type=parts,
        default=frozenset(),
        metavar="PART,…",
        help=f"parts to leave out: {', '.join(PARTS)}",
    )
    parser.add_argument(
        "--logs", action="store_true", help="add the event files, so that seamark --logdir https://… reads the site"
    )
    parser.add_argument("--title", metavar="TEXT", help="title of the page (default: the name of the log directory)")
    parser.add_argument(
        "--max_mb",
        type=float,
        default=DEFAULT_MAX_MB,
        metavar="MB",
        help=f"write nothing if the site would be larger (default: {DEFAULT_MAX_MB:g})",
    )
    parser.add_argument("--rebuild", action="store_true", help="gather everything again, also of unchanged runs")
    parser.add_argument("--dry_run", action="store_true", help="print the sizes and write nothing")
    parser.add_argument(
        "--encrypt",
        action="store_true",
        help=f"protect the site with a passphrase, from {PASSPHRASE_VARIABLE}, --passphrase_file or a prompt",
    )
    parser.add_argument("--passphrase_file", type=Path, metavar="FILE", help="file with the passphrase of --encrypt")


def parts(text: str) -> frozenset[str]:
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    if unknown := sorted(names - set(PARTS)):
        raise argparse.ArgumentTypeError(f"want some of {', '.join(PARTS)}, got '{unknown[0]}'")
    return names


def run(args: argparse.Namespace) -> int:
    try:
        roots = log_directory.existing_roots(args.logdir)
        if args.logs:
            check_logs(args, roots)
        folder = SiteFolder(Path(args.output))
        sealer = sealer_of(args, folder)
        with (
            Store(
                roots,
                index_dir=log_directory.index_dir_if_there(args.index_dir, roots),
                index_read_only=True,
                follow=False,
            ) as store,
            Spool() as spool,
        ):
            return publish(args, store, roots, spool, folder, sealer)
    except (QueryError, UnknownColumnError) as error:
        return open_runs.refuse_query("publish", args.query, error)
    except (ValueError, OSError, ForeignFolderError, NoCryptographyError, NoPageError) as error:
        return log_directory.refuse("publish", error)


def check_logs(args: argparse.Namespace, roots: list[LogRoot]) -> None:
    if left_out := sorted(args.without & LOGGED_PARTS):
        raise ValueError(f"--logs adds whole event files, so '{left_out[0]}' cannot be left out; drop one of the two")
    if away := [root.address for root in roots if root.address]:
        raise ValueError(f"--logs adds files of this machine; these logs are elsewhere: '{away[0]}'")


def publish(
    args: argparse.Namespace, store: Store, roots: list[LogRoot], spool: Spool, folder: SiteFolder, sealer: Sealer
) -> int:
    notes = state_notes.read(args.state_dir, roots)
    with ProgressBar(sys.stderr) as bar:
        while not store.wait_loaded(REDRAW_SECS):
            progress = store.progress()
            bar.show(progress.bytes_done, progress.bytes_total, f"reading {counted(progress.files_total, 'file')}")
        runs = chosen_runs(args, RunTable(store, notes) if args.query else None, store)
        if not runs:
            raise ValueError("no run matches, so there is nothing to publish")
        earlier = folder.earlier_site(sealer)
        fingerprints = gather(
            store,
            roots,
            runs,
            spool,
            notes=notes,
            progress=lambda what, done, total: bar.show(done, total, what),
            without=args.without,
            with_logs=args.logs,
            earlier=None if args.rebuild else earlier,
        )
    title = args.title or " and ".join(root.path.name for root in roots)
    plan = SitePlan(spool, earlier, title=title, fingerprints=fingerprints)
    sizes = plan.size()
    print(size_report(sizes, runs))
    if sizes.total > args.max_mb * 1e6:
        print(f"seamark publish: {too_large(sizes, args.max_mb)}", file=sys.stderr)
        return 1
    if args.dry_run:
        return 0
    written = plan.write()
    numbers = f"{counted(written.written, 'file')} written, {written.kept:,} kept, {written.removed:,} removed"
    print(f"{numbers}: '{args.output}'")
    return 0


def chosen_runs(args: argparse.Namespace, table: RunTable | None, store: Store) -> list[RunName]:
    runs = [name for name in store.run_names() if args.runs.is_found(name)]
    if table is None:
        return runs
    rows = set(table.select(args.query).rows.tolist())
    return [name for name in runs if table.place_of(name) in rows]


def size_report(sizes: SiteSize, runs: Collection[RunName]) -> str:
    lines = [f"{counted(len(runs), 'run')}, {size(sizes.total)}:"]
    return "\n".join([*lines, *(f"  {size(bytes_):>10}  {label}" for label, bytes_ in sizes.by_label)])


def too_large(sizes: SiteSize, max_mb: float) -> str:
    largest = " and ".join(f"{label} ({size(bytes_)})" for label, bytes_ in sizes.by_label[:2])
    return (
        f"the site would have {size(sizes.total)}, and --max_mb allows {max_mb:g} MB, so nothing was written; the"
        f" largest parts are {largest}: leave out parts with --without, runs with --runs or --query, or raise --max_mb"
    )


def sealer_of(args: argparse.Namespace, folder: SiteFolder) -> Sealer:
    if not args.encrypt:
        if args.passphrase_file is not None:
            raise ValueError("--passphrase_file is for --encrypt, which is missing")
        return PlainSealer()
    passphrase = read_passphrase(args.passphrase_file)
    earlier = None if folder.manifest is None else folder.manifest.encryption
    if earlier is not None:
        try:
            return PassphraseSealer.of_site(passphrase, earlier)
        except WrongPassphraseError:
            print("seamark publish: another passphrase than before: every file is written again", file=sys.stderr)
    return PassphraseSealer(passphrase)


def read_passphrase(file: Path | None) -> str:
    """Never from the command line, which other users of the machine can see."""
    if file is not None:
        passphrase = file.read_text(encoding="utf-8").rstrip("\r\n")
    elif PASSPHRASE_VARIABLE in os.environ:
        passphrase = os.environ[PASSPHRASE_VARIABLE]
    elif sys.stdin.isatty():
        passphrase = getpass("Passphrase of the site: ")
        if getpass("The same again: ") != passphrase:
            raise ValueError("the two passphrases differ")
    else:
        raise ValueError(
            f"--encrypt needs a passphrase: set {PASSPHRASE_VARIABLE}, or name a file with --passphrase_file"
        )
    if len(passphrase) < MIN_PASSPHRASE:
        raise ValueError(f"the passphrase must have at least {MIN_PASSPHRASE} characters, got {len(passphrase)}")
    return passphrase

"""Checks that the page's types of requests and responses are those that the server describes.

They are in web/src/data/wire_types.ts for the routes of /api, and in view/wire_types.ts for those of a dashboard, if it
has that file: begin with an empty one.

python tools/page_types.py            exits with 1 and prints one line for each file that differs
python tools/page_types.py --write    writes the files
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from _build_backend import web_bundle
from seamark.plugin import Endpoint
from seamark.serve.api.openapi import description
from seamark.serve.app import API, create_app
from seamark.store import LogRoot, Store

ROOT = Path(__file__).resolve().parent.parent
FILE_NAME = "wire_types.ts"
# Routes of dashboards have these, too; only the page's own modules need their types.
SHARED = {"NoParameters", "ErrorResponse", "HasDataResponse"}
Schemas = dict[str, dict[str, Any]]


def type_files(root: Path = ROOT) -> dict[str, str]:
    """The text of each file, by its path from the root."""
    documents = {path: document(schemas) for path, schemas in schemas_by_file(root).items()}
    _, environment = web_bundle.npm_command()
    ran = subprocess.run(
        ["node", "wire_types.js"],
        input=json.dumps(documents),
        cwd=root / "web",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        raise SystemExit(f"web/wire_types.js failed; are the page's packages installed (make setup)?\n{ran.stderr}")
    texts: dict[str, str] = json.loads(ran.stdout)
    return texts


def schemas_by_file(root: Path) -> dict[str, Schemas]:
    shared: Schemas = {}
    found = {f"web/src/data/{FILE_NAME}": shared}
    for prefix, endpoints in endpoints_by_prefix().items():
        schemas: Schemas = description({prefix: endpoints})["components"]["schemas"]
        shared |= {name: schema for name, schema in schemas.items() if prefix == API or name in SHARED}
        file = root / "src/seamark/dashboards" / prefix.rpartition("/")[2] / "view" / FILE_NAME
        if prefix != API and file.exists():
            own = {name: schema for name, schema in schemas.items() if name not in SHARED}
            found[file.relative_to(root).as_posix()] = own
    return found


def endpoints_by_prefix() -> Mapping[str, Sequence[Endpoint]]:
    with tempfile.TemporaryDirectory() as folder:
        roots = [LogRoot("", Path(folder))]
        with Store(roots, index_dir=None, follow=False) as store:
            endpoints: Mapping[str, Sequence[Endpoint]] = create_app(store, roots=roots).state.endpoints()
    return endpoints


def document(schemas: Schemas) -> dict[str, Any]:
    """A description of these schemas alone, in the order of their names."""
    # A title is the name again.
    untitled = {name: {key: value for key, value in schemas[name].items() if key != "title"} for name in schemas}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Seamark", "version": ""},
        "paths": {},
        "components": {"schemas": dict(sorted(untitled.items()))},
    }


def problems(root: Path = ROOT) -> Iterator[str]:
    for path, text in type_files(root).items():
        if (root / path).read_text(encoding="utf-8") != text:
            yield f"{path}: is not what the server describes; run python tools/page_types.py --write"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the files")
    if parser.parse_args().write:
        for path, text in type_files().items():
            (ROOT / path).write_text(text, encoding="utf-8")
        return 0
    found = list(problems())
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""The schema file beside the data: `NAME.schema.json`. It is replaced as a whole."""

from __future__ import annotations

from pathlib import Path

import msgspec

from seamark.examples.form import ExamplesError
from seamark.examples.schema import Schema
from seamark.format.cache_folder import replacing
from seamark.tables.readers.compressed import GZIP_SUFFIX

SUFFIX = ".schema.json"
MAX_BYTES = 16 << 20


def schema_path(data: Path) -> Path:
    """`adult.examples.schema.json` for `adult.examples.csv.gz`; for a folder, beside it."""
    if data.is_dir():
        return data.with_name(f"{data.name}{SUFFIX}")
    name = data.name[: -len(GZIP_SUFFIX)] if data.name.lower().endswith(GZIP_SUFFIX) else data.name
    return data.with_name(f"{Path(name).stem}{SUFFIX}")


def load_schema(path: Path) -> tuple[Schema | None, str]:
    """The schema, or None with a sentence if the file cannot be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return None, f"the saved schema is not used: the file is too large: '{path.name}'"
        return msgspec.json.decode(path.read_bytes(), type=Schema), ""
    except FileNotFoundError:
        return None, ""
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error  # without the folder
        return None, f"the saved schema is not used: {reason}: '{path.name}'"


def save_schema(path: Path, schema: Schema | None) -> None:
    """None removes the file. Raises ExamplesError if the folder cannot be written."""
    try:
        if schema is None:
            path.unlink(missing_ok=True)
            return
        with replacing(path) as file:
            file.write(msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n")
        path.chmod(0o644)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExamplesError(
            f"the schema cannot be saved beside the data: {reason}; make the folder writable or copy the data: "
            f"'{path.name}'"
        ) from error

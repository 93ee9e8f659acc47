"""Tests of the team server that cross packages."""

from __future__ import annotations

import os

# `make test-services` tests with every kind of visitor and with PostgreSQL, `make test` with some and with SQLite.
IS_LONG = bool(os.environ.get("SEAMARK_LONG_TESTS"))

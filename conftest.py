"""What all tests share: a time limit that ends a hung test, and a record of the outcomes."""

from __future__ import annotations

pytest_plugins = ("tools.testing.time_limit", "tools.testing.scheduling", "tools.testing.outcomes")

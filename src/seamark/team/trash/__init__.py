"""Deleted runs: kept in the trash for a while, then removed everywhere."""

"""Tests of the team server that cross packages."""

"""Runs and points in a ClickHouse server or cluster: the schema, the way in, and a store that answers from it."""

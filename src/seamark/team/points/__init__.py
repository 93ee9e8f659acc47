"""The points of projects in ClickHouse: ingested from the uploaded files, and shown from there."""

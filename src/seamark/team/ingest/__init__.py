"""Uploads: pieces of files arrive from trainers, become durable in a journal, and are appended to the runs' files."""

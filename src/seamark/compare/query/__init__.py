"""The query language: parsing, evaluation, completion."""

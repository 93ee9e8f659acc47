"""Answers: what each route returns."""

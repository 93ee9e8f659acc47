"""Gathers what a site answers with: one module per sort of data, each asking the application of this process."""

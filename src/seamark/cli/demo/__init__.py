"""The models that `seamark demo` trains, and what it logs."""

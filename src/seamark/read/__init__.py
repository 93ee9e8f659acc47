"""Reading runs back into Python: `seamark.open`."""

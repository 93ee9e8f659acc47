"""Writers: what a training program calls. Imports neither the store nor anything of the web."""

"""One file per library; each loads its library only when it is used."""

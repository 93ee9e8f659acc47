"""Tables of any source as columns of numbers and names."""

"""Every kind in one scroll."""

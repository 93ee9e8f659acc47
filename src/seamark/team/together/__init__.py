"""Working together: comments and reports."""

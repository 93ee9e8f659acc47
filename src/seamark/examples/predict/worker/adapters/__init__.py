"""What each library's models take and return, one module for each."""

"""The Profile tab."""

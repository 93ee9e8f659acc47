"""Signing in by OpenID Connect, with any provider."""

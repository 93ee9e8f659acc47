"""Accounts: users, passwords, sessions, tokens, invitations."""

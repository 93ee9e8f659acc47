"""What an operator needs: metrics, health, backups, a systemd unit, and accounts from the command line."""

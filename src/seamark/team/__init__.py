"""The team server: people, projects and uploaded runs, around the server that shows one log directory."""

"""The routes below /api that the page and several dashboards use."""

"""The dashboards that come with Seamark, one folder each; there is no list of them elsewhere."""

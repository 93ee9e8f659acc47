"""The dashboards that come with Seamark, one folder each. They are found by folder: no list is kept anywhere."""

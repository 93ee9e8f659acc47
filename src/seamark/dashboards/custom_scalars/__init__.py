"""Charts of several tags, with layouts that runs log or users edit."""

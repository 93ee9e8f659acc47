"""Models: predictions from columns of the file, from user code in a subprocess, and over HTTP."""

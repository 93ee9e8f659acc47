"""`python -m seamark` is the `seamark` command."""

import sys

from seamark.cli import main

sys.exit(main())

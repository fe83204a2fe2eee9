"""`python -m pliant` is the command."""

import sys

from pliant._command import main

sys.exit(main())

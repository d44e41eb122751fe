"""`python -m separatrix`."""

import sys

from separatrix.cli import main

sys.exit(main())

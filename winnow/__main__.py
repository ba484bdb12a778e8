"""``python -m winnow``: the same as the command ``winnow``."""

from __future__ import annotations

import sys

from winnow.cli import main

if __name__ == "__main__":
    sys.exit(main())

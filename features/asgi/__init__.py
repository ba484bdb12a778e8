"""Winnow inside an ASGI application: ``winnow.asgi.ReaderMiddleware``; nothing of the proxy's.

docs/asgi.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(name="asgi", needs=("origin",), is_extra=True)

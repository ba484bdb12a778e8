"""How long a client may take for each thing it does, in seconds; docs/http.md has the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from winnow.proxy.server.upload_limits import UPLOAD_IDLE, UploadLimits

HEAD_SECONDS: Final = 30.0
"""From the first byte of a request's head until its end."""
KEEPALIVE_SECONDS: Final = 75.0
"""Without a whole head of a (further) request."""
LINGERING_SECONDS: Final = 2.0
"""For the rest of a body that nobody reads, after the reply."""


@dataclass(frozen=True, slots=True)
class TunnelLimits:
    """``idle``: without a byte either way; ``half_closed``: likewise once one side has ended."""

    idle: float = 3600.0
    half_closed: float = 60.0


@dataclass(frozen=True, slots=True)
class ClientBounds:
    """``upload`` is for bodies that we read, ``upload_idle`` for those that are forwarded."""

    upload: UploadLimits = field(default_factory=UploadLimits)
    upload_idle: float = UPLOAD_IDLE
    head: float = HEAD_SECONDS
    tunnel: TunnelLimits = field(default_factory=TunnelLimits)

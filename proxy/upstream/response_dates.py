"""Date of a response that came without one (RFC 9110, section 6.6.1). Pure."""

from __future__ import annotations

from dataclasses import replace
from email.utils import formatdate

from winnow.proxy.http.messages import ResponseHead


def dated(head: ResponseHead, received: float) -> ResponseHead:
    """The head with a Date; ``received``: seconds since the epoch."""
    if "date" in head.headers:
        return head
    date = formatdate(received, usegmt=True)
    return replace(head, headers=head.headers.plus(("Date", date)))

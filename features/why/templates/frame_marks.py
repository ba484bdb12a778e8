"""What stands in the page in the frame of ``/-/why``, and what that page may do: nothing. Pure."""

from __future__ import annotations

from typing import Final

from winnow.features.why.jobs import MarkTexts
from winnow.features.why.templates.removal_words import all_left_out
from winnow.proxy.access.credentials.image_signatures import FRAME_IMAGES
from winnow.proxy.own.translation import _

FRAME: Final = "/-/why/page"
PART: Final = "/-/why/part"
SANDBOX: Final = "allow-top-navigation-by-user-activation"
"""No script, no form, no pop-up, no origin: a click on a link leads the whole window on, and all
links are ours."""
IMAGE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For drawings (SVG) that somebody opens by themselves."""


def frame_policy(base: str) -> str:
    """The Content-Security-Policy of the page in the frame: style sheets stand in it, and its
    pictures come from us; the sandbox holds where it is opened in a window, too."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'none'",
            "connect-src 'none'",
            "style-src 'unsafe-inline'",
            f"img-src {base.rstrip('/')}{FRAME_IMAGES} data:",
            "font-src data:",
            "form-action 'none'",
            "base-uri 'none'",
            "frame-ancestors 'self'",
            f"sandbox {SANDBOX}",
        )
    )


def mark_texts(links: str, images: str, parts: str, stored: str = "") -> MarkTexts:
    """The words of the marks; the rest as in ``MarkTexts``."""
    return MarkTexts(
        gone=all_left_out(),
        kept=_("Kept."),
        keep=_("Keep it …"),
        drop=_("Drop it …"),
        links=links,
        images=images,
        parts=parts,
        stored=stored,
    )

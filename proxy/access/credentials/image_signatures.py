"""Signed addresses of the images in basic pages, so that a site's page may show its images.

Below ``/-/small/`` they are cross-site sub-resources of our own origin, which ``own_faces.decide``
refuses otherwise; so are those in the frame of ``/-/why``, whose origin is opaque. A signature is
bound to an owner (RequestHead.owner) and one address, expires within a day (``FormTokens``), is for
public addresses only, or for a picture of a private page's own host in that frame, and only images
are sent for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from typing import Final

from winnow.jobs.small_gateway import OWN_NAME, SMALL_PATH
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url, quoted

FRAME_IMAGES: Final = "/-/why/image/"
"""Before signature and address (base64url) of a picture in the frame of ``/-/why``."""
_SIGNED: Final = re.compile(r"~([^/]*)/(.*)\Z", re.DOTALL)
_SOURCE: Final = re.compile(
    rf'(\bsrc="https?://{re.escape(OWN_NAME)}{SMALL_PATH})([^"~][^"]*)"'.encode()
)


@dataclass(frozen=True)
class ImageSignatures:
    """Signs the images of pages."""

    tokens: FormTokens

    def variant(self, owner: str) -> str:
        """Changes with the signatures of ``owner``: a part of the page's ETag."""
        return self.tokens.make(_purpose(owner, ""), datetime.now(UTC))

    def __call__(self, body: bytes, owner: str) -> bytes:
        """A basic page, each image address in it signed for ``owner``."""
        now = datetime.now(UTC)

        def signed(found: re.Match[bytes]) -> bytes:
            rest = found[2].decode("utf-8", "replace")
            token = self.tokens.make(_purpose(owner, unescape(rest)), now)
            return found[1] + f'~{token}/{rest}"'.encode()

        return _SOURCE.sub(signed, body)

    def frame_image(self, encoded: str, owner: str, *, is_private: bool = False) -> str:
        """The path of a picture in the frame of ``/-/why``, signed for ``owner``.

        ``is_private``: it is of the host of a page at a private address, which the owner opened.
        """
        purpose = (_private_purpose if is_private else _frame_purpose)(owner, encoded)
        return f"{FRAME_IMAGES}{self.tokens.make(purpose, datetime.now(UTC))}/{encoded}"

    def holds(self, target: str, owner: str) -> bool:
        """Whether a request target carries a valid signature for ``owner``."""
        return is_signed(target, owner, self.tokens)

    def holds_private(self, target: str, owner: str) -> bool:
        """Whether it is the signature of a picture of a private page's own host."""
        return _is_signed_frame_image(target, owner, self.tokens, _private_purpose)


def without_signature(rest: str) -> tuple[str, str]:
    """Signature ("" for none) and what follows it, of a path after ``/-/small/``."""
    found = _SIGNED.match(rest)
    return (found[1], found[2]) if found else ("", rest)


def is_signed(target: str, owner: str, tokens: FormTokens) -> bool:
    """Whether a request target carries a valid signature for ``owner``."""
    if FRAME_IMAGES in target:
        purposes = (_frame_purpose, _private_purpose)
        return any(_is_signed_frame_image(target, owner, tokens, each) for each in purposes)
    token, rest = without_signature(quoted(target).partition(SMALL_PATH)[2])
    return bool(token and owner) and tokens.holds(token, _purpose(owner, rest), datetime.now(UTC))


def _is_signed_frame_image(
    target: str, owner: str, tokens: FormTokens, purpose: Callable[[str, str], str]
) -> bool:
    token, _, encoded = target.partition(FRAME_IMAGES)[2].partition("/")
    return bool(owner) and tokens.holds(token, purpose(owner, encoded), datetime.now(UTC))


def _purpose(owner: str, rest: str) -> str:
    return json.dumps(["image", owner, _normalised(rest)])


def _frame_purpose(owner: str, encoded: str) -> str:
    return json.dumps(["frame image", owner, encoded])


def _private_purpose(owner: str, encoded: str) -> str:
    return json.dumps(["frame image of a private page", owner, encoded])


def _normalised(rest: str) -> str:
    """As browsers write it in a request (WHATWG URL)."""
    try:
        return parse_url(f"https://{OWN_NAME}{SMALL_PATH}{rest}").url.partition(SMALL_PATH)[2]
    except ClientFaultError:
        return rest

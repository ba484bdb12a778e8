"""A signed image address is good for one owner and one image, and for nothing else."""

from __future__ import annotations

import pytest

from winnow.proxy.access.credentials.image_signatures import (
    ImageSignatures,
    is_signed,
    without_signature,
)
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.access.own_faces import (
    Allowed,
    Credential,
    FaceRequest,
    Reach,
    Refused,
    decide,
)

OWNER = "user:ann"
TOKENS = FormTokens()
SIGN = ImageSignatures(TOKENS)
START = "https://winnow.internal/-/small/"


def signed(rest: str, owner: str = OWNER) -> str:
    """The signed address of an image."""
    return SIGN(f'<img src="{START}{rest}">'.encode(), owner).decode()[10:-2]


@pytest.mark.parametrize(
    ("rest", "sent"),
    [
        ("i2/https://a.example/b.png", "i2/https://a.example/b.png"),
        ("i2/https://a.example/b.png?c=d&amp;e=f", "i2/https://a.example/b.png?c=d&e=f"),
        ("i2/https://a.example/ä b.png", "i2/https://a.example/%C3%A4%20b.png"),
    ],
)
def test_an_address_holds_as_a_browser_sends_it(rest: str, sent: str) -> None:
    token, _ = without_signature(signed(rest).removeprefix(START))
    assert is_signed(f"/-/small/~{token}/{sent}", OWNER, TOKENS)


def test_another_owner_image_or_key_is_refused() -> None:
    target = signed("i2/https://a.example/b.png")
    assert is_signed(target, OWNER, TOKENS)
    assert not is_signed(target, "user:ben", TOKENS)
    assert not is_signed(target, "", TOKENS)
    assert not is_signed(target.replace("b.png", "c.png"), OWNER, TOKENS)
    assert not is_signed(target, OWNER, FormTokens())


def test_other_addresses_are_left_alone() -> None:
    page = b'<a href="https://winnow.internal/-/small/i2/x"><img src="https://a.example/b.png">'
    assert SIGN(page, OWNER) == page


@pytest.mark.parametrize(
    ("method", "mode", "dest", "origin"),
    [
        ("POST", "no-cors", "image", ""),
        ("GET", "cors", "image", "https://evil.example"),
        ("GET", "cors", "empty", "https://evil.example"),
        ("GET", "cors", "image", "null"),
        ("GET", "no-cors", "image", "https://evil.example"),
        ("GET", "navigate", "iframe", "null"),
        ("GET", "navigate", "iframe", ""),
        ("GET", "no-cors", "script", ""),
    ],
)
def test_nothing_but_an_image_is_shown(method: str, mode: str, dest: str, origin: str) -> None:
    request = FaceRequest(
        OwnFace.FETCH, "https://winnow.internal", method, "cross-site", mode, dest, origin,
        credential=Credential.IMAGE,
    )  # fmt: skip
    assert isinstance(decide(request), Refused)


@pytest.mark.parametrize("origin", ["", "null"])
def test_an_image_reaches_public_addresses_only(origin: str) -> None:
    request = FaceRequest(
        OwnFace.FETCH, "https://winnow.internal", "GET", "cross-site", "no-cors", "image", origin,
        credential=Credential.IMAGE,
    )  # fmt: skip
    assert decide(request) == Allowed(Reach.PUBLIC)

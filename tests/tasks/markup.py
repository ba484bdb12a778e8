"""What written pages are made of."""

# ruff: noqa: E501 - markup is read best as it is written

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.tasks.fragments import Site

READ: Final = "extracted"
CHANGED: Final = "extracted or tidied"
LEFT: Final = "original"
"""What is to be done with a page."""
Made = tuple[str, str, tuple[str, ...]]
"""The middle of a page, what is expected, what it must keep."""
Kind = Callable[[Site], Made]


def field(label: str, name: str, kind: str = "text", more: str = "") -> str:
    """A field of a form with its label."""
    return f'<p><label for="{name}">{label}</label> <input id="{name}" name="{name}" type="{kind}" {more}></p>'


def form(action: str, fields: str, button: str, method: str = "post") -> str:
    """A form with a token, as sites have them."""
    token = '<input type="hidden" name="token" value="t0k3n">'
    return (
        f'<form action="{action}" method="{method}">{token}{fields}<button>{button}</button></form>'
    )


def named(*names: str) -> tuple[str, ...]:
    """The fields of these names."""
    return tuple(f'name="{name}"' for name in names)

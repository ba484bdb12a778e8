"""Whether bytes are UTF-8. Knows bytes; no page, no declaration."""

from __future__ import annotations

from types import ModuleType

from winnow.document.compiled import either

_compiled: ModuleType | None
try:
    from winnow.document import _utf8 as _compiled
except ImportError:  # no C compiler where Winnow was installed: the definition does the work
    _compiled = None


def is_whole(body: bytes) -> bool:
    """Whether bytes are UTF-8 (RFC 3629) without U+FFFD, the mark of what was lost before. O(n)."""
    if _compiled is None:
        return is_whole_in_python(body)
    return either(_compiled.is_whole, is_whole_in_python, body)


def is_whole_in_python(body: bytes) -> bool:
    """What ``is_whole`` says, without the compiled loop: its definition."""
    try:
        return "\ufffd" not in body.decode("utf-8")
    except UnicodeDecodeError:
        return False

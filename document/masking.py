"""Raw text made harmless: what stands in scripts and comments must not look like tags.

Knows raw-text elements and comments (HTML standard, 13.3 and 13.2.5); no other markup.
"""

from __future__ import annotations

import re
from typing import Final

from document import tags

_TAG_OR_COMMENT: Final = re.compile(rf"<(?:({'|'.join(tags.RAW_TEXT)})(?=[ >])[^>]*>|(!--)|[^>]*>)")
"""Any tag: an element's name may hold what looks like a comment's start (``<b<!-->``)."""
_RAW_OR_COMMENT: Final = re.compile(rf"<(?:({'|'.join(tags.RAW_TEXT)})(?=[ >])[^>]*>|(!--))")


def mask_raw_text(markup: str) -> str:
    """The markup with the content of raw-text elements blanked; offsets stay true.

    A comment becomes a nameless declaration of the same length, so that it parts text nodes.
    """
    return _masked(markup, _TAG_OR_COMMENT)


def mask_bracketed(markup: str) -> str:
    """The same, faster, where no tag holds a ``<``; elsewhere a tag holds one afterwards, too."""
    return _masked(markup, _RAW_OR_COMMENT)


def _masked(markup: str, pattern: re.Pattern[str]) -> str:
    kept, position, done = [], 0, 0
    while found := pattern.search(markup, position):
        position = found.end()
        if found[1]:
            end = _raw_end(markup, found[1], position)
            kept += [markup[done:position], " " * (end - position)]
        elif found[2]:
            end = _comment_end(markup, position)
            kept += [markup[done : found.start()], f"<!{'-' * (end - found.start() - 3)}>"]
        else:
            continue
        position = done = end
    return "".join([*kept, markup[done:]])


def _comment_end(markup: str, start: int) -> int:
    end = markup.find("-->", start)
    return end + len("-->") if end >= 0 else len(markup)


def _raw_end(markup: str, name: str, start: int) -> int:
    """Where a raw-text element's closing tag starts."""
    end = markup.find(f"</{name}>", start)
    while end >= 0 and name == "script" and _is_double_escaped(markup, start, end):
        end = markup.find("</script>", end + 1)
    return end if end >= 0 else len(markup)


def _is_double_escaped(markup: str, start: int, end: int) -> bool:
    """Whether ``<!-- <script>`` is open at ``end`` (HTML standard, 13.2.5.27 to 13.2.5.31)."""
    comment = markup.rfind("<!--", start, end)
    if comment < 0 or markup.find("-->", comment, end) >= 0:
        return False
    inside = markup[comment:end].lower()
    return inside.count("<script") > inside.count("</script")

"""Blanks the content of scripts and comments, so that nothing in it looks like a tag.

Raw-text elements and comments: HTML standard, 13.3 and 13.2.5.
"""

from __future__ import annotations

import re
from typing import Final

from winnow.document.parsing import tags

_TAG_OR_COMMENT: Final = re.compile(rf"<(?:({'|'.join(tags.RAW_TEXT)})(?=[ >])[^>]*>|(!--)|[^>]*>)")
"""Any tag: an element's name may hold what looks like a comment's start (``<b<!-->``)."""
_ESCAPE: Final = re.compile(r"<!--|-->|</?script(?=[\t\n\f />])", re.IGNORECASE | re.ASCII)


def mask_raw_text(markup: str) -> str:
    """The markup with the content of raw-text elements blanked; offsets stay true.

    A comment becomes a nameless declaration of the same length, so that it parts text nodes.
    """
    parts, position, done = [], 0, 0
    while found := _TAG_OR_COMMENT.search(markup, position):
        position = found.end()
        if found[1]:
            end = _raw_end(markup, found[1], position)
            parts += [markup[done:position], " " * (end - position)]
        elif found[2]:
            end = _comment_end(markup, position)
            parts += [markup[done : found.start()], f"<!{'-' * (end - found.start() - 3)}>"]
        else:
            continue
        position = done = end
    return "".join([*parts, markup[done:]])


def _comment_end(markup: str, start: int) -> int:
    end = markup.find("-->", start)
    return end + len("-->") if end >= 0 else len(markup)


def _raw_end(markup: str, name: str, start: int) -> int:
    """Where a raw-text element's end tag starts."""
    end = markup.find(f"</{name}>", start)
    return end if end >= 0 else len(markup)


def is_double_escaped(script: str) -> bool:
    """Whether ``</script>`` behind a script's content would not end it: the tokeniser would be in
    the script data double escaped state (HTML standard, 13.2.5.20 to 13.2.5.31)."""
    if "<!--" not in script:
        return False
    level, at = 0, 0
    while found := _ESCAPE.search(script, at):
        at = found.end()
        if found[0] == "-->":
            level = 0
        elif found[0] == "<!--":
            level, at = max(level, 1), at - 2  # its dashes may be those of "-->"
        elif level:
            level = 1 if found[0][1] == "/" else 2
    return level == 2

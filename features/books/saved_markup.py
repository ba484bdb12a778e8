"""The markup of a saved article as it is shown: stored images, highlights. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from typing import Final

from markupsafe import Markup

_TAG: Final = r'<(?:[^<>"]|"[^"]*")*+>'
"""In sanitised markup all attributes are quoted."""
_TAGS: Final = re.compile(_TAG)
_ATTRIBUTE: Final = re.compile(r'([a-z]+)="([^"]*)"')
_KEPT: Final = ("alt", "width", "height", "title")
_SKIPPED: Final = rf"<svg\b.*?</svg>|<math\b.*?</math>|{_TAG}"
_SPLIT: Final = re.compile(f"({_TAG})")
_TOKEN: Final = re.compile(r"(\s*)(\w+|[^\w\s])")
MOST_QUOTES: Final = 100
MOST_TOKENS: Final = 300
"""Words and signs of a quotation that are looked for; the rest is not marked."""


def with_images(content: str, addresses: Mapping[str, str]) -> str:
    """Images have the addresses of stored ones; all others become links: nothing is fetched.

    Links say not that they were followed on a page of ours, whose links may do more.
    """
    return _TAGS.sub(lambda found: _shown(found[0], addresses), content)


def _shown(tag: str, addresses: Mapping[str, str]) -> str:
    if tag.startswith("<a "):
        return f'<a rel="noreferrer"{tag[2:]}'
    return _image(tag, addresses) if tag.startswith("<img ") else tag


def _image(tag: str, addresses: Mapping[str, str]) -> str:
    values = dict(_ATTRIBUTE.findall(tag))
    source = unescape(values.get("src", ""))
    if source.startswith("data:image/"):
        return tag
    if source in addresses:
        kept = "".join(f' {name}="{values[name]}"' for name in _KEPT if name in values)
        without = "" if "alt" in values else ' alt=""'
        return f'<img src="{escape(addresses[source])}" loading="lazy"{kept}{without}>'
    if not source.startswith(("http://", "https://")):
        return ""
    text = values.get("alt", "").strip() or "Image"
    return f'<a href="{escape(source)}" rel="noreferrer">{text}</a>'


def highlighted(content: str, quotes: Sequence[str]) -> Markup:
    """Sanitised markup with each quotation in ``<mark>``, across elements; its number is the id."""
    ranges: list[tuple[int, int, int]] = []
    for number, quote in enumerate(quotes[:MOST_QUOTES], 1):
        found = _place(content, quote)
        if found and not any(start < found[1] and found[0] < end for start, end, _ in ranges):
            ranges.append((*found, number))
    for start, end, number in sorted(ranges, reverse=True):
        content = content[:start] + _marked(content[start:end], number) + content[end:]
    return Markup(content)  # noqa: S704  # sanitised when it was saved


def _place(content: str, quote: str) -> tuple[int, int] | None:
    """Where a quotation stands in the markup, whatever tags are between its words."""
    tokens = [found.groups() for found in _TOKEN.finditer(quote.strip())][:MOST_TOKENS]
    if not tokens:
        return None
    between = {True: rf"(?:\s|&nbsp;|{_TAG})++", False: f"(?:{_TAG})*+"}
    pieces = [re.escape(escape(tokens[0][1], quote=False))]
    pieces += [
        between[bool(blank)] + re.escape(escape(token, quote=False)) for blank, token in tokens[1:]
    ]
    pattern = re.compile(f"{_SKIPPED}|({''.join(pieces)})", re.DOTALL)
    for found in pattern.finditer(content):
        if found[1] is not None:
            return found.span(1)
    return None


def _marked(markup: str, number: int) -> str:
    """Each run of text in an element of its own, so that no tag is cut."""
    name, parts = f' id="note{number}"', []
    for part in _SPLIT.split(markup):
        if part.startswith("<") or not part.strip():
            parts.append(part)
        else:
            parts.append(f"<mark{name}>{part}</mark>")
            name = ""
    return "".join(parts)

"""What the attributes of a page's elements say of records: names of classes, ids, properties.

The names are those of forum programs, publishing systems and schema.org. Each distinct value is
read once: on a thread the same few stand on all posts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document import start_tags
from winnow.document.document import Document


class Mark(Enum):
    """What an attribute's value says that an element is."""

    RECORD = auto()
    AUTHOR = auto()
    PROFILE = auto()
    MOMENT = auto()
    BODY = auto()
    QUOTE = auto()
    CHAFF = auto()
    ACCEPTED = auto()


_OF_RECORDS: Final = re.compile(
    r"https?://schema\.org/(?:Comment|Answer|Question|DiscussionForumPosting|SocialMediaPosting"
    r"|UserComments|Review|UserReview)/?"
)
_AUTHOR: Final = re.compile(
    r"(?:^|[\s_-]|[a-z](?=[A-Z]))(?:author(?:[_-]?name)?|user[_-]?names?|bigusername|hnuser|fn|creator"
    r"|poster(?:_name)?|nick(?:name)?|(?:screen|member|display|profile)-?name|user(?:-?link|-?card"
    r"|-?popup|-?info)?|by|byline|person-listing|postdetails|name)"
    r"(?:$|[\s_-](?!avatar|image|photo|rank|title|stat|badge|joined|post|content))",
    re.IGNORECASE,
)
_PROFILE: Final = re.compile(
    r"/users?/|/u/|/~|/members?/|/profiles?[/.]|/people/|memberlist|member\.php|user=|[?&;]u=\d"
    r"|/author/|user\?id=|action=profile|uid=",
    re.IGNORECASE,
)
_MOMENT: Final = re.compile(r"^\s*(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d|$)")
_BODY: Final = re.compile(
    r"(?:^|\s)(?:(?:(?!\S*(?:author|user|meta|head|profile|quote|fold))[a-z_-]*[_-])?(?:post|comment"
    r"|message|msg|reply|entry|answer|review|topic|usertext|forum-post)?[_-]*(?:body|content|text"
    r"|message)(?:[_-]?\d+)?|bbWrapper|cooked|md|commtext|s-prose|comment|post-entry)(?=\s|$)",
    re.IGNORECASE,
)
_QUOTE: Final = re.compile(
    r"(?:^|\s)(?:bbcode_?quote|quote-?(?:container|block|content)?|bb-?quote|quoted|posted_quote"
    r"|quoteblock)(?=\s|$)",
    re.IGNORECASE,
)
_CHAFF: Final = re.compile(
    r"(?:^|[\s_-])(?:signature|postsig|sig|badges?|avatar|reactions?|reactionsbar|likes?|votes?"
    r"|votecell|reputation|toolbar|buttons?|actions?|controls|report|userextras|last-?edited|lastedit"
    r"|notice|permalink|post-?menu|quick-?reply|postprofile|userinfo|author-?pane|share|tools"
    r"|cite-link|comment-tools|(?:comment-)?reply-link|attribution|expandlink|comment-reply)"
    r"(?=$|[\s_-])|expandlink|editedBy|(?:^|\s)(?:reply|quoted-switch)(?=\s|$)",
    re.IGNORECASE,
)
_ACCEPTED: Final = re.compile(
    r"(?:^|[\s_-])(?:accepted-?answer|is-?solution|best-?answer|accepted|solution)(?:$|[\s_-])",
    re.IGNORECASE,
)
_READ: Final = {
    "itemtype": ((Mark.RECORD, _OF_RECORDS),),
    "class": (
        (Mark.AUTHOR, _AUTHOR),
        (Mark.BODY, _BODY),
        (Mark.QUOTE, _QUOTE),
        (Mark.CHAFF, _CHAFF),
        (Mark.ACCEPTED, _ACCEPTED),
    ),
    "id": ((Mark.BODY, _BODY), (Mark.CHAFF, _CHAFF)),
    "data-role": ((Mark.BODY, _BODY),),
    "data-testid": ((Mark.BODY, _BODY),),
    "rel": ((Mark.AUTHOR, re.compile("author")),),
    "itemprop": ((Mark.ACCEPTED, _ACCEPTED),),
    "component": ((Mark.CHAFF, re.compile("post/parent")),),
    "href": ((Mark.PROFILE, _PROFILE),),
    "title": ((Mark.MOMENT, _MOMENT),),
    "datetime": ((Mark.MOMENT, _MOMENT),),
}
"""By attribute the patterns that its value is searched for."""
_NAMING: Final = (
    "data-author", "data-author-username", "data-author-name", "data-comment-author",
    "data-username", "data-user-name", "data-post-author", "author", "username",
)  # fmt: skip
"""Attributes of a record that name its author."""
Values = list[tuple[int, str]]


@dataclass(frozen=True, eq=False)
class RecordMarks:
    """The marks of a document's elements."""

    document: Document

    def values(self, name: str) -> Values:
        """The elements that have an attribute, in document order, each with its value."""
        markup, elements = self.document.markup, self.document.elements
        opening = f' {name}="'
        offsets = np.array(start_tags.standing(markup, opening, len(opening) - 2), dtype=np.int64)
        owners = elements.open_start.searchsorted(offsets, side="right") - 1
        inside = (owners >= 0) & (offsets < elements.open_end[owners])
        starts = (offsets[inside] + len(opening)).tolist()
        return [
            (owner, markup[start : markup.index('"', start)])
            for owner, start in zip(owners[inside].tolist(), starts, strict=True)
        ]

    def of(self, mark: Mark, first: int, behind: int) -> list[int]:
        """The elements of a mark from one index up to another, in document order."""
        row = self._found[mark]
        low, high = np.searchsorted(row, (first, behind))
        found: list[int] = row[low:high].tolist()
        return found

    @cached_property
    def properties(self) -> Values:
        """The elements with an ``itemprop``, and its value."""
        return self.values("itemprop")

    @cached_property
    def names(self) -> dict[int, str]:
        """The elements with an attribute that names an author, and the name."""
        found: dict[int, str] = {}
        for attribute in _NAMING:
            for element, value in self.values(attribute):
                found.setdefault(element, start_tags.unescaped(value))
        return found

    @cached_property
    def _found(self) -> dict[Mark, npt.NDArray[np.int64]]:
        found: dict[Mark, set[int]] = defaultdict(set)
        for attribute, patterns in _READ.items():
            known: dict[str, list[Mark]] = {}
            values = self.properties if attribute == "itemprop" else self.values(attribute)
            for element, value in values:
                if value not in known:
                    known[value] = [mark for mark, found in patterns if found.search(value)]
                for mark in known[value]:
                    found[mark].add(element)
        return {mark: np.array(sorted(found[mark]), dtype=np.int64) for mark in Mark}


def without_inner(elements: list[int], inner: list[tuple[int, int]]) -> Iterator[int]:
    """The elements that stand in none of some ranges, which are in order and apart."""
    at = 0
    for element in elements:
        while at < len(inner) and inner[at][1] <= element:
            at += 1
        if at == len(inner) or element < inner[at][0]:
            yield element

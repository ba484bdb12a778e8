"""What the attributes of a page's elements say of records: names of classes, ids, properties.

The names are those of forum programs, publishing systems and schema.org. Each distinct value is
read once: on a thread the same few stand on all posts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, auto
from functools import lru_cache
from typing import Final

import numpy as np

from winnow.document.document import Document, Mask, derived
from winnow.document.parsing import start_tags


class Mark(IntEnum):
    """What an attribute's value says that an element is; numbers are hashed without a call."""

    RECORD = auto()
    AUTHOR = auto()
    PROFILE = auto()
    MOMENT = auto()
    BODY = auto()
    QUOTE = auto()
    CHAFF = auto()
    SIGNATURE = auto()
    ACCEPTED = auto()
    VOTES = auto()


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
_PROFILES: Final = (
    "/user/", "/users/", "/u/", "/~", "/member/", "/members/", "/profile/", "/profiles/",
    "/people/", "/author/", "memberlist", "member.php", "user=", "user?id=", "action=profile",
    "uid=", "?u=", "&amp;u=", "profile.php",
)  # fmt: skip
"""What stands in addresses of users."""
_MOMENT: Final = re.compile(r"^\s*(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d|$)")
_BODY: Final = re.compile(
    r"(?:^|\s)(?:(?:(?!\S*(?:author|user|meta|head|profile|quote|fold))[a-z_-]*[_-])?(?:post|comment"
    r"|message|msg|reply|entry|answer|review|topic|usertext|forum-post)?[_-]*(?:body|content|text"
    r"|message|msg)(?:[_-]?\d+)?|bbWrapper|cooked|md|commtext|s-prose|comment|post-entry)(?=\s|$)",
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
    r"|cite-link|comment-tools|(?:comment-)?reply-link|attribution|expandlink|comment-reply"
    r"|ipsEdited|author-?column|postleft|postfoot|sort[_-]?(?:menu|options?)|thread-info)"
    r"(?=$|[\s_-])|expandlink|editedBy|ShareMenu|(?:^|\s)(?:reply|quoted-switch)(?=\s|$)",
    re.IGNORECASE,
)
_SIGNATURE: Final = re.compile(
    r"(?:^|\s)(?:(?:[a-z]+[_-])?signature|post-?sig|sig\d*|sig[_-]text)(?=\s|$)", re.IGNORECASE
)
_ACCEPTED: Final = re.compile(
    r"(?:^|[\s_-])(?:accepted-?answer|is-?solution|best-?answer|accepted|solution)(?:$|[\s_-])",
    re.IGNORECASE,
)
_VOTES: Final = re.compile(
    r"(?:^|\s)(?:(?:js|post|comment)[-/])?(?:vote-?count(?:-post)?|upvote-?count|score)(?=$|\s)"
)
_READ: Final = {
    "itemtype": ((Mark.RECORD, _OF_RECORDS),),
    "class": (
        (Mark.AUTHOR, _AUTHOR),
        (Mark.BODY, _BODY),
        (Mark.QUOTE, _QUOTE),
        (Mark.CHAFF, _CHAFF),
        (Mark.SIGNATURE, _SIGNATURE),
        (Mark.ACCEPTED, _ACCEPTED),
        (Mark.VOTES, _VOTES),
    ),
    "id": ((Mark.BODY, _BODY), (Mark.CHAFF, _CHAFF), (Mark.SIGNATURE, _SIGNATURE)),
    "data-role": ((Mark.BODY, _BODY),),
    "data-testid": ((Mark.BODY, _BODY),),
    "rel": ((Mark.AUTHOR, re.compile("author")),),
    "itemprop": ((Mark.ACCEPTED, _ACCEPTED),),
    "data-excludequote": ((Mark.CHAFF, re.compile("")),),
    "component": ((Mark.CHAFF, re.compile("post/parent")), (Mark.VOTES, _VOTES)),
    "title": ((Mark.MOMENT, _MOMENT),),
    "datetime": ((Mark.MOMENT, _MOMENT),),
}
"""By attribute the patterns that its value is searched for."""
_NAMING: Final = (
    "data-author", "data-author-username", "data-author-name", "data-comment-author",
    "data-username", "data-user-name", "data-post-author", "author", "username",
)  # fmt: skip
"""Attributes of a record that name its author."""
_ATTRIBUTES: Final = (*_READ, *_NAMING, "href", "role", "data-post-id", "data-comment-id")
"""All attributes that are read."""
_NUMBERED: Final = frozenset({"class", "id"})
"""Attributes whose values differ by numbers that say nothing."""
_WITHOUT_DIGITS: Final = str.maketrans("", "", "0123456789")
Values = list[tuple[int, str]]


@dataclass(frozen=True, eq=False)
class RecordMarks:
    """The marks of a document's elements; ``start``, ``end``: those in this part of its markup."""

    document: Document
    start: int = 0
    end: int | None = None
    _names: dict[str, list[int]] = field(default_factory=dict, init=False)

    def values(self, name: str) -> Values:
        """The elements that have one of _ATTRIBUTES, in document order, each with its value."""
        return self._values[name]

    @derived
    def _values(self) -> dict[str, Values]:
        """The values of each of _ATTRIBUTES: all start tags are read once."""
        markup, elements = self.document.markup, self.document.elements
        end = len(markup) if self.end is None else self.end
        first, behind = elements.open_start.searchsorted((self.start, end)).tolist()
        starts, ends = elements.open_start[first:behind], elements.open_end[first:behind]
        found = start_tags.values(markup, starts, ends, _ATTRIBUTES)
        if first:
            found = [[(first + index, value) for index, value in values] for values in found]
        return dict(zip(_ATTRIBUTES, found, strict=True))

    @derived
    def quoted(self) -> Mask:
        """Which pieces stand in a ``<blockquote>`` that is no post's body; shape (pieces,)."""
        quotations = np.array(self.document.elements_named("blockquote"), dtype=np.int64)
        bodies = np.array(self._found[Mark.BODY], dtype=np.int64)
        return self.document.inside(np.setdiff1d(quotations, bodies))

    def named(self, name: str, first: int, behind: int) -> list[int]:
        """The elements of a name from one index up to another, in document order."""
        if name not in self._names:
            self._names[name] = self.document.elements_named(name)
        return _between(self._names[name], first, behind)

    def of(self, mark: Mark, first: int, behind: int) -> list[int]:
        """The elements of a mark from one index up to another, in document order."""
        return _between(self._found[mark], first, behind)

    @derived
    def properties(self) -> Values:
        """The elements with an ``itemprop``, and its value."""
        return self.values("itemprop")

    @derived
    def names(self) -> dict[int, str]:
        """The elements with an attribute that names an author, and the name."""
        found: dict[int, str] = {}
        for attribute in _NAMING:
            for element, value in self.values(attribute):
                found.setdefault(element, start_tags.unescaped(value))
        return found

    @derived
    def _found(self) -> dict[Mark, list[int]]:
        found: dict[Mark, set[int]] = {mark: set() for mark in Mark}
        hrefs = self.values("href")
        profiles = set(filter(_is_profile, {value for _, value in hrefs}))
        found[Mark.PROFILE].update(element for element, value in hrefs if value in profiles)
        for attribute in _READ:
            values = self.values(attribute)
            marks_of = _marks_of(attribute, dict.fromkeys(value for _, value in values))
            for element, value in values if marks_of else ():
                for mark in marks_of.get(value, ()):
                    found[mark].add(element)
        return {mark: sorted(elements) for mark, elements in found.items()}


def _marks_of(attribute: str, values: Iterable[str]) -> dict[str, tuple[Mark, ...]]:
    """What some values of an attribute say, of those that say anything; the first of those that
    differ by their digits alone is read for all.
    """
    known: dict[str, tuple[Mark, ...]] = {}
    found: dict[str, tuple[Mark, ...]] = {}
    for value in values:
        form = value.translate(_WITHOUT_DIGITS) if attribute in _NUMBERED else value
        marks = known.get(form)
        if marks is None:
            marks = known[form] = _marks_in(attribute, value)
        if marks:
            found[value] = marks
    return found


@lru_cache(maxsize=4096)
def _marks_in(attribute: str, value: str) -> tuple[Mark, ...]:
    """What an attribute's value says; the pages of a site have the same few hundred."""
    return tuple(mark for mark, pattern in _READ[attribute] if pattern.search(value))


def _is_profile(address: str) -> bool:
    """Whether an address is a user's."""
    return any(part in address for part in _PROFILES)


def _between(row: list[int], first: int, behind: int) -> list[int]:
    low = bisect_left(row, first)
    return row[low : bisect_left(row, behind, low)]


def without_inner(elements: list[int], inner: list[tuple[int, int]]) -> list[int]:
    """The elements that stand in none of some ranges, which are in order and apart."""
    if not inner or not elements:
        return elements
    found, at = list[int](), 0
    for element in elements:
        while at < len(inner) and inner[at][1] <= element:
            at += 1
        if at == len(inner) or element < inner[at][0]:
            found.append(element)
    return found

"""The posts that a page's JSON-LD states, found in its text by their words.

Schema.org's DiscussionForumPosting, Question, Answer and Comment with ``text``, ``author`` and
``dateCreated``, as Google's guides for forums and question pages ask for them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any, Final, NamedTuple

import numpy as np

from winnow.document.arrays import Mask, prefix_sums
from winnow.document.document import Document
from winnow.document.metadata.linked_data import names_of
from winnow.document.texts.short_texts import key_of

_TYPES: Final = frozenset({"DiscussionForumPosting", "SocialMediaPosting", "Question", "Answer"})
_COMMENT: Final = "Comment"
_MOST: Final = 500
"""Posts that are looked for."""
_LEAST: Final = 12
_LONG: Final = 60
"""Letters and digits by which a text is found: fewer say too little, more may be cut."""
_TAG: Final = re.compile(r"<[^<>]*>")


class StatedPost(NamedTuple):
    """Who wrote a post and when, and how many found it good ("" where it is not said), and the
    pieces of its text.

    ``first``: where the text begins, once for each place where the page has it; ``last``: the piece
    in which that at the first place ends.
    """

    author: str
    time: str
    first: tuple[int, ...]
    last: int
    votes: str = ""


@dataclass(frozen=True, eq=False)
class StatedPosts:
    """All stated posts of a document that its text has."""

    posts: tuple[StatedPost, ...] = ()

    @classmethod
    def of(cls, document: Document, quoted: Mask) -> StatedPosts:
        """None at once where JSON-LD names no post; else O(text). ``quoted``: quotations."""
        nodes = [node for node in document.linked_nodes if _is_post(node)]
        return cls(tuple(_located(document, quoted, nodes[:_MOST]))) if nodes else cls()

    @cached_property
    def _begins(self) -> list[tuple[int, int]]:
        """The pieces in which posts begin, in order, each with the post's index."""
        return sorted({(piece, at) for at, post in enumerate(self.posts) for piece in post.first})

    @property
    def places(self) -> list[int]:
        """The pieces in which those posts begin that the page has once, in document order."""
        return sorted({post.first[0] for post in self.posts if len(post.first) == 1})

    def within(self, own: Mask, first: int, author: str) -> StatedPost | None:
        """The post among some pieces; of several the one by an author of that name, if any.

        ``own``: a mask that begins at piece ``first``.
        """
        low, high = (bisect_left(self._begins, (at,)) for at in (first, first + len(own)))
        begun = {at for piece, at in self._begins[low:high] if own[piece - first]}
        among = [self.posts[at] for at in sorted(begun)]
        named = [post for post in among if key_of(post.author) == key_of(author)]
        if author and named:
            return named[0]
        return among[0] if len(among) == 1 and len(among[0].first) == 1 else None


def _is_post(node: Mapping[str, Any]) -> bool:
    types = node.get("@type")
    named = types if isinstance(types, list) else [types]
    return any(name in _TYPES or name == _COMMENT for name in named if isinstance(name, str))


def _located(document: Document, quoted: Mask, nodes: list[dict[str, Any]]) -> Iterator[StatedPost]:
    """The posts whose text is shown outside of quotations, each once."""
    shown = (~document.hidden & ~quoted).nonzero()[0]
    starts, ends = document.pieces.start, document.pieces.end
    keys = [key_of(document.text[starts[piece] : ends[piece]]) for piece in shown.tolist()]
    offsets, text = prefix_sums(np.array([len(key) for key in keys])), "".join(keys)

    def piece_at(offset: int) -> int:
        return int(shown[int(offsets.searchsorted(offset, side="right")) - 1])

    seen = set[str]()
    for node in nodes:
        key = _key_of(node)
        if len(key) < _LEAST or key in seen:
            continue
        seen.add(key)
        begins, end = list(_places(text, key[:_LONG])), text.find(key[-_LONG:])
        if not begins and end >= 0:  # it begins with a quotation
            begins = [end]
        if begins:
            last = max(end + len(key[-_LONG:]) - 1, begins[0])
            author = ", ".join(dict.fromkeys(names_of(node.get("author"), document.linked_nodes)))
            places = tuple(map(piece_at, begins))
            votes = str(node.get("upvoteCount", ""))
            yield StatedPost(author, _time_of(node), places, piece_at(last), votes)


def _places(text: str, key: str) -> Iterator[int]:
    at = text.find(key)
    while at >= 0:
        yield at
        at = text.find(key, at + 1)


def _key_of(node: Mapping[str, Any]) -> str:
    for name in ("text", "articleBody"):
        if isinstance(value := node.get(name), str):
            return key_of(unescape(_TAG.sub(" ", value)))
    return ""


def _time_of(node: Mapping[str, Any]) -> str:
    times = (node.get(name) for name in ("dateCreated", "datePublished"))
    return next((time.strip() for time in times if isinstance(time, str)), "")

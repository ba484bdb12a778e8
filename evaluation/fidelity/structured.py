"""What a page's structured data say that it holds: posts, ingredients, the price."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from winnow.document.document import Document
from winnow.document.metadata.microdata import microdata
from winnow.document.render.article.fact_places import plain_words
from winnow.evaluation.fidelity.shown_posts import day_of
from winnow.evaluation.fidelity.things import Thing
from winnow.evaluation.measuring.tasks import shown_price
from winnow.evaluation.measuring.words import words

_POSTS: Final = frozenset({"DiscussionForumPosting", "Comment", "Answer", "Question"})
_LENGTH: Final = 8
"""Words of a post by which it is found."""
_CHAFF: Final = re.compile(r"<[^<>]*>|Click to expand\.*", re.IGNORECASE)
"""Tags, and what opens a quotation."""
Node = Mapping[str, Any]


def structured_things(document: Document) -> Iterator[Thing]:
    """Posts with author and time, ingredients with amounts, the price; each once."""
    nodes = [*document.linked_nodes, *microdata(document)]
    posts = list(dict.fromkeys(post for node in nodes if (post := _post(node))))
    for traces in posts:
        yield Thing("post", traces, len(traces))
        yield Thing("speaker", traces, len(traces))
    if len(posts) > 1:
        yield Thing("thread", tuple(dict.fromkeys(text for text, _, _ in posts)), len(posts))
    for ingredient in dict.fromkeys(text for node in nodes for text in ingredients_of(node)):
        yield Thing("ingredient", (ingredient,), 1)
    if price := shown_price(document):
        yield Thing("price", (price,), 1)


def _post(node: Node) -> tuple[str, str, str] | None:
    """The first words of a post, its author's, its day; None without any of these."""
    if _POSTS.isdisjoint(_listed(node.get("@type"))):
        return None
    stated = _text(node.get("text")) or _text(node.get("articleBody"))
    text = words(_CHAFF.sub(" ", stated))
    author = words(_name(node.get("author")))
    day = day_of(_text(node.get("dateCreated")) or _text(node.get("datePublished")))
    if len(text) < _LENGTH or not author or not day:
        return None
    return " ".join(text[:_LENGTH]), " ".join(author), day


def ingredients_of(node: Node) -> Iterator[str]:
    """The ingredients of a recipe, as words; none of another node."""
    for name in ("recipeIngredient", "ingredients"):
        for value in _listed(node.get(name)):
            if found := " ".join(plain_words(_text(value))):
                yield found


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    first = _listed(value)[:1]
    return first[0] if first and isinstance(first[0], str) else ""


def _name(value: Any) -> str:
    first = (_listed(value) or [None])[0]
    return _text(first.get("name")) if isinstance(first, Mapping) else _text(first)

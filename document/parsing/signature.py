"""A page's signature: the tags that it has, and the words that stand in its start tags.

The scan finds it, which reads every tag anyway. By it a step that has nothing to do on a page is
not entered: ``needs`` says what a step acts on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce, wraps
from operator import or_
from typing import Any, Final, TypeVar

from winnow.document import compiled
from winnow.document.parsing import start_tags, tags

WORDS: Final = (
    ' class="', ' id="', ' style="', ' hidden="', ' name="', ' lang="', ' dir="', ' xml:lang="',
    ' href="#', ' id="p', "ld+json", "itemscope", 'itemprop="dat', "author", "byline", "license",
    '"og:type"', '"canonical"',
    "infobox", "aption", "admonition", "callout", "alert", "editsection",
    "anchor", "headerlink", "header-link", "hashlink", "hash-link", "permalink", "headinglink",
    "heading-link", "sr-only", "isually", "screen", "element-invisible", "assistive-text",
    "omment", "respond", "disqus_thread", "omentar", "eacties", "yorumlar", "hozzaszolasok",
)  # fmt: skip
"""What steps ask of attributes, at most 64 words of ASCII; each as it stands in serialised markup,
also as a part of another word."""
_READ: Final = frozenset(
    "id rel role type name class data-qa property itemprop itemtype data-testid".split()
)
"""Attributes of which the whole value is read; of others the name and its first character, but in
scripts, meta elements and links."""
_WHOLE: Final = tags.codes_of("script meta link")
_TAGS: Final = 64  # the bit of the first tag code, behind those of the words
_BITS: Final = {name: 1 << _TAGS + code for code, name in enumerate(tags.NAMES)} | {
    word: 1 << bit for bit, word in enumerate(WORDS)
}
Step = TypeVar("Step", bound=Callable[..., Any])
UNCHANGED: Final = object()


def signature_of(tag: str, code: int) -> int:
    """The signature of one start tag, given without angle brackets: its definition."""
    found = 1 << _TAGS + code
    for each in start_tags.ATTRIBUTE.finditer(tag):
        is_read = each[1] in _READ or code in _WHOLE
        text = each[0] if is_read else f' {each[1]}="{each[2][:1]}'
        found |= reduce(or_, (_BITS[word] for word in WORDS if word in text), 0)
    return found


@cache
def bits_of(names: tuple[str, ...] | str) -> int:
    """The bits of names, or of blank-separated tags. Raises KeyError for a name that has none."""
    listed = names.split() if isinstance(names, str) else names
    return reduce(or_, map(_BITS.__getitem__, listed))


def needs(*names: str, absent: Any = UNCHANGED) -> Callable[[Step], Step]:
    """A step over a document, or a scan, that is entered only where it has one of some names.

    On others its result is ``absent``, or its second argument as it is: what the step itself would
    return there (``tests/document/parsing/test_signature.py``). Raises KeyError for a name that no
    signature has.
    """
    wanted = bits_of(names)

    def gate(step: Step) -> Step:
        @wraps(step)
        def gated(page: Any, *args: Any, **named: Any) -> Any:
            if page.signature & wanted:
                return step(page, *args, **named)
            return args[0] if absent is UNCHANGED else absent

        made: Any = gated
        if compiled.calls:
            otherwise = () if absent is UNCHANGED else (absent,)
            made = compiled.like(step, compiled.calls.needs(step, wanted, *otherwise))
        result: Step = made
        return result

    return gate

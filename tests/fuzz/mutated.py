"""Pages for a number: scraps of markup that parsers disagree about, and known pages damaged.

Made some ten thousand a second, so that a million can be tried. Knows no parser.
"""

from __future__ import annotations

from random import Random
from typing import Final

from winnow.extractors.contract import PAGES

_NAMES: Final = (
    "p div b a ul li table tr td svg math style script iframe xmp noembed noframes plaintext "
    "noscript textarea title select option template foreignObject desc annotation-xml mi br img "
    "head body html frameset frame pre form button h1 i nobr object video mglyph input col caption "
    "x-y section article dl dt dd ruby rt embed canvas audio details summary font marquee center"
).split()
_ATTRIBUTES: Final = (
    "", "", "", " a=b", " <c", " encoding=text/html", " hidden", "/", ' class="main text"',
    " id=x style='display: none'", ' href="/a#b" lang=de', " a=1 a=2", " =", ' "',
    ' src=/s.png srcset="/s.png 1x, /l.png 2x"',
)  # fmt: skip
_SCRAPS: Final = (
    "<!--", "-->", "--!>", "<!--->", "<![CDATA[", "]]>", "&lt;/style>", "&lt;", "&gt;", "<script",
    "</script", "</script>", "</style>", "</svg>", "\n", " ", "x", "<!", "</", "<", ">", '<a b="',
    "'>", "é", "字", "🙂", "\0", "</script ", "<!doctype a<b>", "<plaintext>", "</br>", "</p>",
    "<?x", "&nbsp;", "&amp;", "&#13;", "\r", "\f", "The river rose, and by morning it was gone. ",
    "<img src=/s.png srcset='/s.png 400w, /l.png 800w'>",
    "A title", "12", "e\u0301", "\u2028", "&#x", "]]", "--", "<svg><style>", "<math><mi>",
)  # fmt: skip
_PICTURES: Final = "<h1>The river</h1>" + (
    "<p id=river>The river rose, and by morning it was <a href=#river>gone</a>.</p>"
    "<img data-src=/s.png srcset='/s.png 400w, /l.png 800w' alt='The river'>"
) * 20  # fmt: skip
_KNOWN: Final = tuple(
    (page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass"))[:3000]
    for page in (_PICTURES, *PAGES.values())
)


def page(seed: int) -> bytes:
    """The page of a number, always the same: of ten seven scraps, three damaged known pages."""
    random = Random(seed)
    if random.random() < 0.7:
        return _scraps(random, 24)
    known = random.choice(_KNOWN)
    for _ in range(random.randrange(1, 4)):
        at, length = random.randrange(len(known) + 1), random.randrange(30)
        known = known[:at] + _scraps(random, 3) + known[at + length :]
    return known


def _scraps(random: Random, most: int) -> bytes:
    return "".join(_scrap(random) for _ in range(random.randrange(1, most))).encode()


def _scrap(random: Random) -> str:
    kind = random.random()
    if kind < 0.45:
        return f"<{random.choice(_NAMES)}{random.choice(_ATTRIBUTES)}>"
    return f"</{random.choice(_NAMES)}>" if kind < 0.6 else random.choice(_SCRAPS)

"""Makes markup harmless: an allow-list, applied by nh3.

What is not listed goes. SVG and MathML are kept as drawings and formulas without links, scripts,
animation, external files, styles or foreign content: the elements through which HTML can be
smuggled into them (``foreignObject``, ``desc``, ``title``, ``annotation-xml``) are not listed.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import nh3

from winnow.document.compiled import loop, optional_module

_compiled: Any = optional_module("winnow.document.parsing._start_tags")

_TEXT: Final = (
    "p h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr td th pre blockquote "
    "figure figcaption details summary article hr br div span a abbr b bdi bdo cite code del dfn "
    "em i ins kbd mark q rb rp rt rtc ruby s samp small strong sub sup time u var wbr"
)
_MEDIA: Final = "img video audio"
SVG_TAGS: Final = (
    "svg g defs symbol marker path rect circle ellipse line polyline polygon text tspan textPath "
    "linearGradient radialGradient stop clipPath mask pattern"
)
_MATH: Final = (
    "math semantics mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom "
    "mfenced menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none "
    "mtable mtr mtd mlabeledtr maction"
)
_DROPPED_WHOLE: Final = (
    "script style title textarea noscript iframe noembed noframes template object embed applet "
    "xmp plaintext annotation annotation-xml foreignObject desc metadata animate set"
)
SVG_ATTRIBUTES: Final = (
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin "
    "stroke-dasharray stroke-miterlimit opacity transform d x y x1 y1 x2 y2 cx cy r rx ry points "
    "width height viewBox preserveAspectRatio font-family font-size font-weight font-style "
    "text-anchor dominant-baseline alignment-baseline dx dy rotate textLength lengthAdjust "
    "offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod fx fy id "
    "clip-path clip-rule clipPathUnits mask maskUnits patternUnits patternTransform marker-start "
    "marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient color visibility "
    "display role aria-label aria-hidden xmlns"
)
_FORMULA: Final = (
    "display mathvariant mathsize mathcolor displaystyle scriptlevel stretchy fence separator "
    "lspace rspace minsize maxsize symmetric largeop movablelimits accent accentunder form width "
    "height depth voffset linethickness columnalign rowalign columnspacing rowspacing columnlines "
    "rowlines frame columnspan rowspan notation open close separators dir alttext aria-label"
)
_ATTRIBUTES: Final = {
    "*": "lang dir id",
    "a": "href title",
    "abbr": "title",
    "audio": "src controls preload aria-label",
    "blockquote": "class",
    "code": "class",
    "del": "datetime",
    "details": "open",
    "dfn": "title",
    "article": "class",
    "div": "class role tabindex aria-label",
    "img": "src srcset sizes alt width height loading referrerpolicy",
    "ins": "datetime",
    "li": "value",
    "ol": "start type reversed",
    "pre": "class tabindex",
    "td": "colspan rowspan",
    "th": "colspan rowspan scope",
    "time": "datetime",
    "video": "src controls preload poster aria-label",
}
_SCHEMES: Final = frozenset(
    "http https mailto tel sms geo xmpp irc ircs magnet news ftp data".split()
)
_OTHER_REFERENCE: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|nbsp|#x27|#39);)")
"""A character reference that none of our writers makes: any character may be behind it."""
_DRAWN: Final = frozenset(SVG_TAGS.split())
_OUTSIDE: Final = re.compile(r"url\((?!#)", re.IGNORECASE)
"""Any of several addresses that is not within the page."""
_BY_STYLE: Final = (b"\\", b"src(", b"image(", b"image-set(", b"cross-fade(")
"""What else names an address in an attribute of a drawing that is a property of CSS too: functions
(CSS Values 4, 4.5; CSS Images 4, 2), and an escape, behind which any letter of one may be (CSS
Syntax 3, 4.3.7). In an address of a picture they are a part of its name."""
_BY_STYLE_HERE: Final = re.compile(
    "|".join(re.escape(mark.decode()) for mark in _BY_STYLE), re.IGNORECASE
)
_DATA: Final = re.compile(r"\s*data:", re.IGNORECASE)
_MANY: Final = 1000
_REFERENCES: Final = re.compile(rf"(?:[^;]*+;){{{_MANY}}}")
_LONG_TEXT: Final = re.compile(r">[^<>]{5000,}")
_LONG_VALUE: Final = re.compile(r"""\s[\w:-]+=(?:"[^"<>]{100000,}"|'[^'<>]{100000,}')""")


def sanitise(markup: str) -> str:
    """The markup with only what is on the list. Takes any text, raises nothing."""
    return _cleaner(checks=may_offend(markup)).clean(in_short_texts(markup))


def in_short_texts(markup: str) -> str:
    """The markup with comments, which nh3 drops, between the many references of a long text, and
    without values of attributes that are as long.

    html5ever's time for either grows by the square of its references: 3 MB of them take 3 s.
    """
    if markup.count(";") < 10 * _MANY:
        return markup
    markup = _LONG_VALUE.sub(lambda value: _short(value[0]), markup)
    return _LONG_TEXT.sub(lambda text: _REFERENCES.sub(r"\g<0><!---->", text[0]), markup)


def _short(attribute: str) -> str:
    return attribute if attribute.count(";") < 10 * _MANY else ""


def may_offend_in_python(markup: str) -> bool:
    """Whether an attribute could hold what ``_checked`` takes out, as it stands or by references.

    Seldom: a filter called for each attribute costs nh3 half as much again.
    """
    lowered = markup.encode("utf-8", "replace").lower()
    if b"url(" in lowered or b"data:" in lowered or _OTHER_REFERENCE.search(markup):
        return True
    return b"<svg" in lowered and any(mark in lowered for mark in _BY_STYLE)


may_offend = loop(_compiled and _compiled.may_offend, may_offend_in_python)


def sanitise_drawing(markup: str) -> str:
    """A drawing or a formula of a page whose styles are kept: with its classes."""
    return _drawings().clean(markup)


def sanitise_choices(markup: str) -> str:
    """A ``<select>`` or ``<datalist>``, with nothing but choices in it."""
    return _choices().clean(markup)


@cache
def _drawings() -> nh3.Cleaner:
    drawn = set(f"{SVG_ATTRIBUTES} class".split())
    return nh3.Cleaner(
        tags=set(f"{SVG_TAGS} {_MATH}".split()),
        clean_content_tags=set(_DROPPED_WHOLE.split()),
        attributes=dict.fromkeys(SVG_TAGS.split(), drawn)
        | {name: {*_FORMULA.split(), "class"} for name in _MATH.split()},
        attribute_filter=_checked,
        link_rel=None,
    )


@cache
def _choices() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags={"select", "datalist", "optgroup", "option"},
        clean_content_tags=set(_DROPPED_WHOLE.split()),
        attributes={
            "*": {"class", "id"},
            "select": {"name", "multiple", "size", "disabled", "required", "aria-label"},
            "option": {"value", "label", "selected", "disabled"},
            "optgroup": {"label", "disabled"},
        },
        link_rel=None,
    )


@cache
def _cleaner(*, checks: bool) -> nh3.Cleaner:
    """``checks``: each attribute is shown to ``_checked``, where any could offend."""
    attributes = {name: set(listed.split()) for name, listed in _ATTRIBUTES.items()}
    attributes |= {name: set(SVG_ATTRIBUTES.split()) for name in SVG_TAGS.split()}
    attributes |= {name: set(_FORMULA.split()) for name in _MATH.split()}
    attributes["math"].add("tabindex")
    return nh3.Cleaner(
        tags=set(f"{_TEXT} {_MEDIA} {SVG_TAGS} {_MATH}".split()),
        clean_content_tags=set(_DROPPED_WHOLE.split()),
        attributes=attributes,
        attribute_filter=_checked if checks else None,
        url_schemes=set(_SCHEMES),
        link_rel="noreferrer",
    )


def _checked(tag: str, attribute: str, value: str) -> str | None:
    """Allow ``data:`` in images only, and inside drawings no address but one within the page."""
    if _OUTSIDE.search(value):
        return None
    if tag in _DRAWN and _BY_STYLE_HERE.search(value):
        return None
    is_image = tag == "img" and attribute == "src"
    return None if not is_image and _DATA.match(value) else value

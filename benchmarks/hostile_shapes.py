"""Pages that are made to be dear, each of one thing said so often that it has a size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Shape = Callable[[int], str]
_DEEP: Final = 240
SAID: Final = "Some words that say a thing and go on for a while, so that it is a text to be read."
_STORY: Final = f"<title>Things of a page</title><h1>Things of a page</h1><p>{SAID * 30}"


def _filled(unit: str, before: str = "", behind: str = "") -> Shape:
    return lambda size: before + unit * max((size - len(before + behind)) // len(unit), 1) + behind


def _numbered(unit: str, before: str = "", behind: str = "") -> Shape:
    """``{0}`` in the unit counts, so that each is another."""
    length = len(unit.format(12345))
    return lambda size: (
        before + "".join(map(unit.format, range(max(size - len(before), 1) // length))) + behind
    )


def _nested_lists(size: int) -> str:
    """Lists in lists, nine deep, each with words of its own."""
    unit = "".join(f"<ul><li>Item {depth} has some words" for depth in range(9)) + "</ul>" * 9
    return _STORY + unit * max(size // len(unit), 1)


SHAPES: Final = {
    "nested to the limit": _filled("<ul><li>a" * (_DEEP // 2) + "</ul>" * (_DEEP // 2)),
    "tables in tables": _filled("<table><tr><td>a" * 80 + "</table>" * 80),
    "siblings": _filled("<p>a</p>"),
    "inline siblings": _filled("<b>a</b> "),
    "text without spaces": _filled("a", "<p>"),
    "unclosed": _filled("<p>a<li>b<dd>c<option>"),
    "links": _numbered("<a href=/{0}>link {0}</a>"),
    "headings": _numbered("<h2 id=h{0}>heading {0}</h2><p>words of it"),
    "attributes": _filled(f"<p {' '.join(f'a{n}=b' for n in range(900))}>a</p>"),
    "images": _numbered("<img src=/{0}.jpg alt=a><p>a"),
    "nested too deep": _filled("<ul><li>"),
    "brackets": _filled("[", "<p>"),
    "addresses in styles": _filled("url(", "<style>", "</style><p>a"),
    "blanks in styles": _filled(" ", "<style>url(", "</style><p>a"),
    "styles of one element": _filled("display:", "<p style='", "'>a"),
    "entities": _filled("&amp;&#x61;&notin;", "<p>"),
    "references in an address": _filled("&amp;", f"{_STORY}<p><a href='/?", f"'>{SAID}</a>"),
    "comments": _numbered(
        "<li class=comment id=comment-{0}><cite class=fn>Name{0}</cite> "
        f"<time datetime=2024-01-02>2 Jan 2024</time><div class=comment-body><p>{SAID} {{0}}</div>",
        _STORY,
    ),
    "reviews": _numbered(
        "<div itemscope itemtype='https://schema.org/Review'><b itemprop=author>Jane {0}</b>"
        f"<time itemprop=datePublished datetime=2024-01-02>2 Jan</time><p>{SAID} {{0}}</div>",
        _STORY,
    ),
    "notes": _numbered(
        f"<p>{SAID}<a href=#f{{0}}>{{0}}</a><p id=f{{0}}>note <a href=#r{{0}}>^</a>", _STORY
    ),
    "captions": _numbered(
        f"<figure><img src={{0}}.png><figcaption>{{0}}</figcaption></figure><p>{SAID}", _STORY
    ),
    "term pairs": _numbered(f"<dl><dt>term {{0}}<dd>{SAID}</dl>", _STORY),
    "hidden parts": _numbered(
        f"<p>{SAID} {{0}}<div id=i{{0}} hidden>{SAID}</div><a href='#i{{0}}'>open</a>", _STORY
    ),
    "nested lists": _nested_lists,
    "rows": _numbered(f"<tr><td>{{0}}<td>{SAID}", f"{_STORY}<table>", "</table>"),
    "forms": _numbered(
        "<form><label for=n{0}>name</label><input id=n{0}><select><option>a<option>b</select>"
        "<button>go</button></form>",
        _STORY,
    ),
    "quoted posts": _numbered(
        "<blockquote class=twitter-tweet><p>A post {0}</p>&mdash; N (@n{0}) "
        f"<a href='https://twitter.com/n{{0}}/status/{{0}}'>May 1, 2024</a></blockquote><p>{SAID}",
        _STORY,
    ),
    "infoboxes": _numbered(
        f"<table class=infobox><tr><th>born<td>{{0}}<tr><th>in<td>Rome</table><p>{SAID}", _STORY
    ),
    "rules in styles": _numbered(
        ".c{0} {{ display: none }}", "<style>", f"</style>{_STORY}<p class=c7>gone"
    ),
    "linked data": _numbered(
        '{{"@type": "Comment", "text": "Some words {0}", "author": {{"name": "N{0}"}}}},',
        f"{_STORY}<script type='application/ld+json'>[",
        "0]</script>",
    ),
}

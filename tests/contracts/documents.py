"""Pages that every extractor and renderer must survive, written for these tests."""

from __future__ import annotations

from winnow.document.document import Document

SENTENCE = "The river rose in the night and by morning the lower road was under water. "
ARTICLE = f"""<!doctype html><html lang=en><title>Flood</title><body>
<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav>
<div id=main><h1>Flood</h1><p>{SENTENCE * 3}</p><img src=a.jpg alt=River>
<p>{SENTENCE * 4} <a href=/b>More</a></p><div hidden>secret</div></div>
<table><tr><td><a href=1>one</a> <a href=2>two</a></td><td>{SENTENCE}</td></tr></table>
<footer><a href=/imprint>Imprint</a></footer></body></html>"""

PAGES: dict[str, str | bytes] = {
    "article": ARTICLE,
    "empty": b"",
    "blank": "   \n ",
    "forty bytes": "<html><body><p>Hello, world!</p></body>",
    "no sentences": "<table><tr><td>1<td>2<td>3</table>" * 5,
    "text alone": "just text, no markup at all",
    "unclosed": "<div><p>a<b>b<i>c<table><tr><td>d<ul><li>e",
    "crossed": "<b>a<p>b</b>c</p></div></td>d",
    "nul bytes": b"<p>a\0b</p>\0<p>c",
    "no html": bytes(range(256)) * 8,
    "deep": "<div>" * 500 + SENTENCE,
    "broad": "<p>word" * 20_000,
    "one word": "x" * 200_000,
    "images alone": "<img src=a><img src=b>",
    "frameset": "<frameset><frame src=a><noframes>no</noframes></frameset>",
    "noscript": f"<noscript><div>{SENTENCE * 5}</div></noscript>",
    "hidden": f"<div style='display:none'><p>{SENTENCE * 5}</p></div>",
    "right to left": "<html dir=rtl lang=ar><p>" + "ارتفع منسوب النهر أثناء الليل. " * 9,
    "chinese": "<html lang=zh><div><p>" + "河水在夜里上涨，早晨低处的道路被淹没了。" * 9,
    "thai": "<html lang=th><div><p>" + "น้ำในแม่น้ำสูงขึ้นในตอนกลางคืน " * 9,
    "links alone": "<a href=x>link</a> " * 200,
    "surrogates": "<p>a\ud800b</p>",
}


def documents() -> dict[str, Document]:
    """Every page, parsed."""
    return {name: Document.from_html(page, "http://example.org/a") for name, page in PAGES.items()}

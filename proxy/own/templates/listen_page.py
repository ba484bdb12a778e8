"""``/-/listen?url=``: an article with the controls that read it aloud. Pure.

The page reads as any without its script, which is ours alone (Content-Security-Policy, by hash).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import select
from winnow.proxy.own.templates.saved_markup import with_images

LISTEN: Final = "/-/listen"
_SOURCE: Final = files("winnow.proxy.own.templates").joinpath("listen.js").read_text("utf-8")
SCRIPT: Final = Markup(_SOURCE)  # noqa: S704 - our own file
STYLE: Final = FRAME_STYLE + Markup(
    """
#listen { position: sticky; top: 0; background: Canvas; padding: .3rem 0;
  border-bottom: 1px solid var(--line); }
#listen p { margin: .2rem 0; }
.now { background: #ffe28a; color: #000; }
"""
)
_SPEEDS: Final = {"0.7": "0.7", "0.85": "0.85", "1": "1", "1.25": "1.25", "1.5": "1.5", "2": "2"}
_CONTROLS: Final = Markup(
    '<div id="listen" role="group" aria-label="Read aloud" hidden><p>'
    '<button id="play" class="first" data-play="Play" data-pause="Pause">Play</button>'
    '<button id="previous">Previous sentence</button><button id="next">Next sentence</button> {}'
    '</p><p id="online" hidden><label><input type="checkbox" id="remote"> Use voices of online '
    "services too: the text of this page then leaves this computer.</label></p>"
    '<p id="no-voice" hidden>This browser has no voice of this computer. '
    '<a href="{}">Take the article as a file (EPUB)</a>, or install a voice.</p>'
    '<p id="listen-status" role="status" data-failed="The voice failed:"></p></div>'
)


def listen_page(record: Mapping[str, object], url: str) -> HtmlPage:
    """``record``: the JSON of an extraction; its content is sanitised."""
    book = f"/-/read?{urlencode({'url': url, 'format': 'epub'})}"
    marks = Markup("").join(
        Markup(' {}="{}"').format(name, record[field])
        for name, field in (("lang", "lang"), ("dir", "dir"))
        if record[field]
    )
    content = Markup(with_images(str(record["content"]), {}))  # noqa: S704  # sanitised in a worker
    body = Markup(
        '{}\n<article{}>\n{}\n</article>\n<p><a href="{}" rel="noreferrer">Original page</a></p>'
    ).format(_CONTROLS.format(select("speed", "Speed", _SPEEDS, "1"), book), marks, content, url)
    return styled_page(str(record["title"] or url), body, STYLE, script=SCRIPT)

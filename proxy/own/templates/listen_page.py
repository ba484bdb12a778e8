"""``/-/listen?url=``: an article with the controls that read it aloud. Pure.

The page reads as any without its script, which is ours alone (Content-Security-Policy, by hash).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files as package_files
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.proxy.own.templates.audio_links import NO_ENGINE, audio_links
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import select
from winnow.proxy.own.templates.saved_markup import with_images
from winnow.proxy.own.translation import N_, _, filled

LISTEN: Final = "/-/listen"
_SOURCE: Final = (
    package_files("winnow.proxy.own.templates").joinpath("listen.js").read_text("utf-8")
)
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
    '<div id="listen" role="group" aria-label="{aloud}" hidden><p>'
    '<button id="play" class="first" data-play="{play}" data-pause="{pause}">{play}</button>'
    '<button id="previous">{previous}</button><button id="next">{next}</button> {speed}</p>'
    '<p id="online" hidden><label><input type="checkbox" id="remote"> {online}</label></p>'
    '<p id="no-voice" hidden>{no_voice}</p>'
    '<p id="listen-status" role="status" data-failed="{failed}"></p></div>'
)
_ONLINE: Final = N_(
    "Use voices of online services too: the text of this page then leaves this computer."
)
_NO_VOICE: Final = N_("This browser has no voice of this computer. {file}, or install a voice.")


def listen_page(
    record: Mapping[str, object], url: str, files: Mapping[str, str] = MappingProxyType({})
) -> HtmlPage:
    """``record``: the JSON of an extraction; its content is sanitised.

    ``files``: addresses of audio files by their kind.
    """
    book = f"/-/read?{urlencode({'url': url, 'format': 'epub'})}"
    marks = Markup("").join(
        Markup(' {}="{}"').format(name, record[field])
        for name, field in (("lang", "lang"), ("dir", "dir"))
        if record[field]
    )
    content = Markup(with_images(str(record["content"]), {}))  # noqa: S704  # sanitised in a worker
    body = Markup(
        '{}\n{}\n<article{}>\n{}\n</article>\n<p><a href="{}" rel="noreferrer">{}</a></p>'
    ).format(_controls(book), _files(files), marks, content, url, _("Original page"))
    return styled_page(str(record["title"] or url), body, STYLE, script=SCRIPT)


def _controls(book: str) -> Markup:
    link = Markup('<a href="{}">{}</a>').format(book, _("Take the article as a file (EPUB)"))
    return _CONTROLS.format(
        aloud=_("Read aloud"),
        play=_("Play"),
        pause=_("Pause"),
        previous=_("Previous sentence"),
        next=_("Next sentence"),
        speed=select("speed", _("Speed"), _SPEEDS, "1"),
        online=_(_ONLINE),
        no_voice=filled(_(_NO_VOICE), file=link),
        failed=_("The voice failed:"),
    )


def _files(files: Mapping[str, str]) -> Markup:
    """Links to audio files, which are made when they are followed."""
    if not files:
        return Markup('<p class="quiet">{}</p>').format(_(NO_ENGINE))
    return Markup('<p class="quiet">{} {}</p>').format(_("As a file:"), audio_links(files))

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

from winnow.features.listen.templates.audio_links import NO_ENGINE, audio_links
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import select
from winnow.proxy.own.templates.saved_markup import with_images
from winnow.proxy.own.translation import N_, _, filled

LISTEN: Final = "/-/listen"
_SOURCE: Final = (
    package_files("winnow.features.listen.templates").joinpath("listen.js").read_text("utf-8")
)
SCRIPT: Final = Markup(_SOURCE)  # noqa: S704 - our own file
STYLE: Final = FRAME_STYLE + Markup(
    """
#listen { position: sticky; top: 0; background: var(--paper, Canvas); padding: .3rem 0;
  border-bottom: 1px solid var(--line); }
#listen p { margin: .2rem 0; }
audio { width: 100%; max-width: 30rem; display: block; margin: .8rem 0; }
.now { background: #ffe28a; color: #000; }
"""
)
_PLAYED: Final = {"opus": "audio/ogg; codecs=opus", "mp3": "audio/mpeg"}
_SPEEDS: Final = {"0.7": "0.7", "0.85": "0.85", "1": "1", "1.25": "1.25", "1.5": "1.5", "2": "2"}
_CONTROLS: Final = Markup(
    '<div id="listen" role="group" aria-label="{aloud}" hidden><p id="aloud" hidden>'
    '<button id="play" class="first" data-play="{play}" data-pause="{pause}">{play}</button>'
    '<button id="previous">{previous}</button><button id="next">{next}</button> {speed}</p>'
    '<p id="online" hidden><label><input type="checkbox" id="remote"> {online}</label></p>'
    '<p id="no-voice" hidden>{no_voice}</p>'
    '<p id="listen-status" role="status" data-failed="{failed}"></p></div>'
)
_ONLINE: Final = N_(
    "Use voices of online services too: the text of this page then leaves this computer."
)
_NO_VOICE: Final = N_("This browser has no voices. {file}, or install a voice.")
_HAS_AUDIO: Final = N_("This browser has no voices. Play the audio file instead.")


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
    ).format(_controls(book, files), _files(files), marks, content, url, _("Original page"))
    page = styled_page(str(record["title"] or url), body, STYLE, script=SCRIPT)
    policy = f"{page.headers['Content-Security-Policy']}; media-src 'self'"
    return page.with_headers({"Content-Security-Policy": policy})


def _controls(book: str, files: Mapping[str, str]) -> Markup:
    link = Markup('<a href="{}">{}</a>').format(book, _("Take the article as a file (EPUB)"))
    return _CONTROLS.format(
        aloud=_("Read aloud"),
        play=_("Play"),
        pause=_("Pause"),
        previous=_("Previous sentence"),
        next=_("Next sentence"),
        speed=select("speed", _("Speed"), _SPEEDS, "1"),
        online=_(_ONLINE),
        no_voice=_(_HAS_AUDIO) if files else filled(_(_NO_VOICE), file=link),
        failed=_("The voice failed:"),
    )


def _files(files: Mapping[str, str]) -> Markup:
    """A player, and links to audio files, which are made when they are asked for."""
    if not files:
        return Markup('<p class="quiet">{}</p>').format(_(NO_ENGINE))
    sources = Markup("").join(
        Markup('<source src="{}" type="{}">').format(files[kind], media_type)
        for kind, media_type in _PLAYED.items()
        if kind in files
    )
    player = Markup('<audio controls preload="none" aria-label="{}">{}</audio>').format(
        _("Audio file of the article"), sources
    )
    return player + Markup('\n<p class="quiet">{} {}</p>').format(
        _("As a file:"), audio_links(files)
    )

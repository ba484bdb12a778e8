"""The frame of every own page: head, style, one h1, one main, and its response headers. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from winnow.config.appearance import Theme
from winnow.proxy.own.templates.navigation import header
from winnow.proxy.own.translation import LANGUAGE

STYLE = Markup("""
:root { color-scheme: light dark; --line: #8886; --accent: #0b5c4a; --soft: #8881; }
@media (prefers-color-scheme: dark) { :root { --accent: #6fd3b8; } }
:root.light, :root.sepia { color-scheme: light; --accent: #0b5c4a; }
:root.dark, :root.contrast { color-scheme: dark; --accent: #6fd3b8; }
:root.sepia { --paper: #f6ecd9; --ink: #35291b; --accent: #073f33; }
:root.contrast { --paper: #000; --ink: #fff; --line: #fff; --accent: #ff0; }
html { background: var(--paper, Canvas); color: var(--ink, CanvasText); }
body { overflow-wrap: break-word; margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem;
  font: 1.05rem/1.6 system-ui, sans-serif; }
body:not(:has(header)) { max-width: 44rem; }
main { max-width: 44rem; }
.wide main { max-width: none; }
body.framed, .framed main { max-width: none; }
body.framed { padding: .05rem .5rem; }
body.framed h1 { margin: 0; font-size: 1.05rem; color: var(--accent); }
h1 { font-size: 1.7rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); }
code, pre, kbd { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }
code, pre, kbd { direction: ltr; unicode-bidi: isolate; }
[inputmode=url] { unicode-bidi: plaintext; text-align: start; }
pre { padding: .7rem; background: var(--soft); white-space: pre-wrap; }
li { margin: .25rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding-block: .35rem; padding-inline: 0 .6rem;
  border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { overflow-wrap: break-word; }
@media (max-width: 40rem) {
  .stacked :is(tbody, tr, th, td) { display: block; }
  .stacked thead { display: none; }
  .stacked :is(th, td):not(:last-child) { padding-bottom: 0; border: 0; }
}
td details { border: 0; padding: .2rem 0; }
td details p { margin: .4rem 0; }
.chosen { display: block; font-weight: 400; }
form { display: inline; }
button, select, input { max-width: 100%; box-sizing: border-box; font: inherit;
  padding: .35rem .8rem; margin-block: .2rem; margin-inline: 0 .4rem; }
@media (min-width: 40rem) { td form select { width: 15em; } }
textarea { max-width: 100%; box-sizing: border-box; }
::placeholder { color: inherit; opacity: .7; }
.winnow-slider label > span { display: inline-block; width: 15em; max-width: 100%;
  vertical-align: middle; }
.winnow-slider input { display: block; width: 100%; margin: 0; padding: 0; }
.winnow-slider label > span > span { display: flex; justify-content: space-between;
  font-size: .75rem; padding: 0 2px; }
.winnow-slider label > span > span > span { width: 1.3em; text-align: center; }
button { border: 1px solid var(--accent); border-radius: .3rem; background: none;
  color: var(--accent); cursor: pointer; }
button.first { background: var(--accent); color: Canvas; }
button:disabled { opacity: .5; cursor: default; }
button.late { padding: 0; border: 0; background: none; animation: late .8s step-end; }
button.late > span { display: block; padding: .35rem .8rem; border: 1px solid var(--accent);
  border-radius: .3rem; visibility: visible; animation: dim .8s step-end; }
button.first.late > span { background: var(--accent); }
@keyframes late { from { visibility: hidden; } }
@keyframes dim { from { background: none; color: var(--accent);
  border-color: var(--line); pointer-events: none; } }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .3rem; margin: .6rem 0; }
fieldset label { display: inline-block; margin-inline-end: 1rem; }
details { border-bottom: 1px solid var(--line); padding: .5rem 0; }
summary { cursor: pointer; font-weight: 600; }
.live { display: grid; }
.live > * { grid-area: 1 / 1; min-width: 0; }
.live > div { visibility: hidden; padding-bottom: .3rem; }
.next { position: relative; }
.next > div::before { content: attr(data-words); white-space: pre-line; }
.next object { position: absolute; inset: 0; height: 100%; border: 0; }
.next p { margin: 0; }
body.checks, body.next { padding: 0; }
object.checks { height: 0; min-height: 100%; border: 0; }
.checks h1 { display: none; }
object { border: 1px solid var(--line); border-radius: .3rem; width: 100%; height: 3.4rem;
  vertical-align: top; }
@media (min-width: 40rem) { .checks object { height: 1.8rem; } }
.good { color: var(--accent); font-weight: 600; }
.quiet { opacity: .8; font-size: .92em; }
nav { margin: 2rem 0 0; }
header nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 1rem;
  padding-bottom: .5rem; border-bottom: 1px solid var(--line); font-size: .95rem; }
header > a:not(:focus) { position: absolute; inset-inline-start: -99rem; }
""")
NO_SCRIPT = Markup("")
THEME: Final[ContextVar[Theme]] = ContextVar("theme", default=Theme.SYSTEM)
"""The colours that the reader of the request that is being answered chose."""
_PROGRAM: Final = "Winnow"
_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """Body, status and headers of an own page."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def with_headers(self, headers: Mapping[str, str]) -> HtmlPage:
        """The same page, sent with ``headers`` too."""
        return replace(self, headers=MappingProxyType({**self.headers, **headers}))


def style_source(style: str) -> str:
    """How a Content-Security-Policy allows exactly this ``<style>`` or script (CSP 3, 2.3)."""
    return f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


def own_page(title: str, main: Markup, *, status: int = 200, kind: str = "") -> HtmlPage:
    """A whole page; ``title`` is its h1 too, ``kind`` the class of its body."""
    document = _document(title, header() + _main(title, main), STYLE, kind=kind)
    return HtmlPage(document.encode(), status, MappingProxyType(page_headers()))


def bare_page(title: str, main: Markup, *, status: int = 200, kind: str = "") -> HtmlPage:
    """As ``own_page``, where links to our other pages do not lead to us."""
    document = _document(title, _main(title, main), STYLE, kind=kind)
    return HtmlPage(document.encode(), status, MappingProxyType(page_headers()))


def styled_page(
    title: str, main: Markup, style: Markup, *, wide: bool = False, script: Markup = NO_SCRIPT
) -> HtmlPage:
    """A whole page; ``style`` is ``STYLE`` and more.

    ``script`` is the only script that may run in it: our own text, never a page's.
    """
    if script:
        main += Markup("\n<script>{}</script>").format(script)
    body = header() + _main(title, main)
    document = _document(title, body, style, kind="wide" if wide else "")
    headers = page_headers(style=style, script=script)
    return HtmlPage(document.encode(), 200, MappingProxyType(headers))


def _main(title: str, main: Markup) -> Markup:
    shown = Markup('<main id="main">\n<h1>{title}</h1>\n{main}\n</main>')
    return shown.format(title=title, main=main)


def _document(title: str, body: Markup, style: Markup, *, kind: str) -> Markup:
    language, theme = LANGUAGE.get(), THEME.get()
    return Markup(
        "<!doctype html>\n"
        '<html lang="{language}"{turned}{theme}>\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>{tab}</title>\n<style>{style}</style>\n</head>\n"
        "<body{kind}>\n{body}\n</body>\n</html>\n"
    ).format(
        language=language.value,
        turned=Markup(' dir="rtl"') if language.direction == "rtl" else "",
        theme=Markup(' class="{}"').format(theme) if theme is not Theme.SYSTEM else "",
        tab=title if title == _PROGRAM else f"{title} – {_PROGRAM}",
        style=style,
        body=body,
        kind=Markup(' class="{}"').format(kind) if kind else "",
    )


def page_headers(
    frames: tuple[str, ...] = (), style: Markup = STYLE, script: Markup = NO_SCRIPT
) -> dict[str, str]:
    """The headers of own pages: no script but exactly ``script``, no foreign frame, no referrer."""
    policy = [
        "default-src 'none'",
        f"style-src {style_source(style)}",
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
    if script:
        policy.append(f"script-src {style_source(script)}")
    if frames:
        policy.append(f"frame-src {' '.join(frames)}")
        policy.append(f"object-src {' '.join(frames)}")
    return {
        "Content-Type": _HTML,
        "Content-Language": LANGUAGE.get().value,
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store",
        "Vary": "Accept-Language",
    }


def sentences(*texts: str) -> Markup:
    """Each text as a paragraph."""
    return Markup("\n").join(Markup("<p>{}</p>").format(text) for text in texts)


def listed(items: tuple[Markup | str, ...], *, ordered: bool = False) -> Markup:
    """A list of items; "" for none."""
    if not items:
        return Markup("")
    inside = Markup("\n").join(Markup("<li>{}</li>").format(item) for item in items)
    if ordered:
        return Markup("<ol>\n{}\n</ol>").format(inside)
    return Markup("<ul>\n{}\n</ul>").format(inside)

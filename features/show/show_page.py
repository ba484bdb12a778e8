"""``/-/show``: the bookmarklet, the question before a sent page is shown, and its article. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from winnow.document.addresses import parts_of
from winnow.document.values import BAR_MARK
from winnow.proxy.access.own_addresses import SHOW_PATH
from winnow.proxy.own.checked_values import Address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.confirmation import ALONE
from winnow.proxy.own.translation import LANGUAGE, N_, _

_HELP: Final = page_template(__package__, "show_help.html")
_QUESTION: Final = page_template(__package__, "show_question.html")
_NO_SCRIPTS: Final = "sandbox allow-forms allow-same-origin"
ARTICLE_POLICY: Final = (
    "default-src 'none'; img-src https: data:; media-src https:; style-src 'unsafe-inline'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
)
"""An origin of its own, which is not ours, and no script. Pictures by HTTPS alone, which hardly a
device of a private network speaks."""
_BOOKMARKLET: Final = """(()=>{const d=document.implementation.createHTMLDocument(''),\
r=d.importNode(document.documentElement,true),f=document.createElement('form'),\
i=(n,v)=>{const t=document.createElement('textarea');t.name=n;t.value=v;f.append(t)};\
for(const e of r.querySelectorAll('script,style,svg,link'))e.remove();\
f.method='post';f.enctype='multipart/form-data';f.acceptCharset='utf-8';f.action=%s;\
f.target='_blank';f.rel='noopener';f.hidden=true;\
i('url',location.href);i('page',r.outerHTML);\
addEventListener('securitypolicyviolation',e=>e.effectiveDirective=='form-action'&&alert(%s),\
{once:true});document.body.append(f);f.submit();f.remove()})()"""
_REFUSED: Final = N_("This site’s policy forbids that its page is sent to Winnow.")


def bookmarklet(base: str) -> str:
    """The address of a bookmark that sends the page that is open to Winnow at ``base``."""
    script = _BOOKMARKLET % (json.dumps(base.rstrip("/") + SHOW_PATH), json.dumps(_(_REFUSED)))
    return "javascript:" + quote(script, safe="(){}[]<>=!'\",;:/?.*+-_|&$@ ")


def help_page(base: str) -> HtmlPage:
    """How the bookmark is installed, and what it does."""
    return page_of(_HELP, bookmarklet=Address(bookmarklet(base)), address=base.rstrip("/"))


def question_page(url: str, sender: str, fields: Mapping[str, str]) -> HtmlPage:
    """Asks whether what a page sent is to be shown; nothing of it is but its address.

    ``sender``: the origin that sent it, as the browser says; "" if it does not. ``fields`` are sent
    on with a click; the page stands in them as text alone.
    """
    other = sender if sender != _origin(url) else ""
    page = page_of(_QUESTION, address=url or "–", sender=other, fields=fields, path=SHOW_PATH)
    policy = f"{page.headers['Content-Security-Policy']}; {_NO_SCRIPTS}"
    return page.with_headers({**ALONE, "Content-Security-Policy": policy})


def article_page(body: bytes, url: str) -> HtmlPage:
    """The article, under a line that leads back."""
    link = (
        Markup('<a href="{0}" rel="noreferrer">{1}</a>').format(url, parts_of(url).netloc)
        if url
        else ""
    )
    line = Markup(
        '<aside aria-label="Winnow" lang="{}" dir="{}" style="margin:0;padding:.4rem .8rem;'
        'border-bottom:1px solid;font:15px/1.8 system-ui,sans-serif">{} {}</aside>'
    ).format(
        LANGUAGE.get().value,
        LANGUAGE.get().direction,
        _("Winnow, from your browser’s page. Nothing was stored."),
        link,
    )
    fields = {
        **ALONE,
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": ARTICLE_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
    return HtmlPage(body.replace(BAR_MARK, line.encode(), 1), 200, fields)


def _origin(url: str) -> str:
    parts = parts_of(url)
    return f"{parts.scheme}://{parts.netloc}".lower()

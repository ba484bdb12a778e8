"""``/-/extensions``: the code that pairs a browser extension, and those that are paired. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, own_page, sentences
from winnow.proxy.own.templates.confirmation import ALONE
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import EXTENSIONS, navigation
from winnow.proxy.own.translation import N_, _
from winnow.proxy.stores.paired_extensions import Paired

_WHAT: Final = N_(
    "Winnow’s browser extension says what was done with each tab, switches between original "
    "and article, and reads pages that scripts write as they stand in your browser."
)
_HOW: Final = N_(
    "Enter this code in the extension’s window. It pairs one extension, within ten minutes; that "
    "extension alone may then send pages and choose for you:"
)


def extensions_page(code: str, paired: Paired, revoke: Callable[[str], Markup]) -> HtmlPage:
    """``revoke`` gives the button that ends a pairing of an origin."""
    shown = Markup('{}\n<p><code id="code">{}</code></p>').format(sentences(_(_HOW)), code)
    rows = (row(each.origin, each.since, revoke(each.origin)) for each in paired)
    listed = (
        table((_("Extension"), _("Since"), ""), rows, _("Paired extensions"))
        if paired
        else sentences(_("None is paired."))
    )
    main = Markup("{}\n{}\n<h2>{}</h2>\n{}\n{}").format(
        sentences(_(_WHAT)), shown, _("Paired extensions"), listed, navigation(EXTENSIONS)
    )
    return own_page(_("Browser extension"), main).with_headers(ALONE)

"""``/-/settings/all`` and ``/-/settings/kept``: every setting, and what was put by.

Pure pages and the two handlers; refuses to know where settings come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from config.listing import Listed, ListedSection
from proxy.access.tokens import Tokens
from proxy.desk import see_other, shown
from proxy.errors import ClientFaultError
from proxy.own import Asked, Shown, only
from proxy.pages.frame import STYLE as FRAME_STYLE
from proxy.pages.frame import Sheet, counted, styled_page
from proxy.pages.navigation import ALL, KEPT, navigation
from proxy.stores.shelf import Shelf, ShelfStore
from proxy.views.asking import own_form, refuse_strange_name, served

_PURPOSE: Final = "forget {what} {site} {part}"
STYLE: Final = FRAME_STYLE + Markup(
    """
.scroll { overflow-x: auto; }
td code { white-space: pre-wrap; }
tr.changed th, tr.changed .value { color: var(--accent); }
th small { font-weight: 400; }
.from { min-width: 6rem; overflow-wrap: break-word; }
th, td.value { min-width: 9rem; }
"""
)


def settings_page(sections: tuple[ListedSection, ...]) -> Sheet:
    """Every setting with meaning, value and origin."""
    lead = Markup(
        "<p>Settings are read when Winnow starts and at SIGHUP: from <code>winnow.toml</code>, the "
        "environment and the command line; the later wins. Those not as delivered are coloured. "
        "<code>winnow config check</code> tells what is wrong with a file.</p>\n"
    )
    body = lead + Markup("\n").join(map(_section, sections)) + navigation(ALL)
    return styled_page("All settings", body, STYLE, wide=True)


def _section(section: ListedSection) -> Markup:
    rows = Markup("\n").join(map(_row, section.settings))
    return Markup(
        "<h2>{name}</h2>\n<p>{purpose}</p>\n"
        '<div class="scroll" tabindex="0" role="region" aria-label="Settings of {name}"><table>\n'
        '<thead><tr><th scope="col">Setting</th><th scope="col">Value</th>'
        '<th scope="col">From</th><th scope="col">Meaning</th></tr></thead>\n'
        "<tbody>\n{rows}\n</tbody></table></div>"
    ).format(name=section.name, purpose=section.purpose, rows=rows)


def _row(setting: Listed) -> Markup:
    changed = Markup(' class="changed"') if setting.value != setting.usual else Markup("")
    usual = Markup("<br><small>usually {}</small>").format(setting.usual) if changed else Markup("")
    return Markup(
        '<tr{}><th scope="row">{}<br><small>{}</small></th>'
        '<td class="value"><code>{}</code>{}</td><td class="from">{}</td><td>{}</td></tr>'
    ).format(
        changed,
        setting.path,
        setting.variable,
        setting.value,
        usual,
        setting.origin,
        setting.purpose,
    )


@dataclass(frozen=True)
class AllSettings:
    """``listed`` tells the settings as of now."""

    listed: Callable[[], tuple[ListedSection, ...]]

    async def __call__(self, asked: Asked) -> Shown:
        only(asked, "GET", "HEAD")
        refuse_strange_name(asked)
        return shown(settings_page(self.listed()))


@dataclass(frozen=True)
class KeptThings:
    """Shows what the shelf holds; each button forgets one thing."""

    shelf: ShelfStore
    tokens: Tokens

    async def __call__(self, asked: Asked) -> Shown:
        return await served(asked, self.tokens, _PURPOSE, self._page, self._forgotten)

    async def _forgotten(self, _: Asked, fields: Mapping[str, str]) -> Shown:
        site, part = fields.get("site", ""), fields.get("part", "")
        steps: dict[str, Callable[[Shelf], Shelf]] = {
            "part": lambda now: now.without_part(site, part),
            "history": lambda now: now.without_history(),
            "bookmarks": lambda now: now.without_bookmarks(),
            "looks": lambda now: now.without_looks(),
        }
        if fields.get("what") not in steps:
            raise ClientFaultError("There is nothing of that kind to forget.", 400, "bad-form")
        await self.shelf.change(steps[fields["what"]])
        return see_other(KEPT)

    def _page(self, _: Asked) -> Sheet:
        now = self.shelf.now
        body = Markup("\n").join((self._parts(now), self._lists(now), navigation(KEPT)))
        return styled_page("What was put by", body, STYLE, wide=True)

    def _form(self, what: str, text: str, site: str = "", part: str = "") -> Markup:
        fields = {"what": what, "site": site, "part": part}
        return own_form(self.tokens, KEPT, _PURPOSE, fields, text)

    def _parts(self, now: Shelf) -> Markup:
        rows = [
            Markup('<tr><th scope="row">{}</th><td><code>{}</code></td><td>{}</td></tr>').format(
                site, part, self._form("part", "Forget", site, part)
            )
            for site, parts in sorted(now.parts.items())
            for part in parts
        ]
        if not rows:
            return Markup(
                "<h2>Blocks that sites keep</h2>\n<p>None yet: where a block went that should "
                "not, choose <em>Why?</em> in the bar and keep it.</p>"
            )
        return Markup(
            '<h2>Blocks that sites keep</h2>\n<table><thead><tr><th scope="col">Site</th>'
            '<th scope="col">Block</th><td></td></tr></thead>\n<tbody>{}</tbody></table>'
        ).format(Markup("\n").join(rows))

    def _lists(self, now: Shelf) -> Markup:
        return Markup(
            "<h2>Text and colours</h2>\n<p>Chosen on {}. {}</p>\n"
            "<h2>Small screens</h2>\n<p>{}. {}</p>\n<p>{} read lately. {}</p>\n"
            "<p>{:,} bytes came from sites, {:,} were sent on.</p>"
        ).format(
            counted(len(now.looks), "device"),
            self._form("looks", "Forget all looks") if now.looks else "",
            counted(len(now.bookmarks), "bookmark"),
            self._form("bookmarks", "Forget all bookmarks") if now.bookmarks else "",
            counted(len(now.recent), "page"),
            self._form("history", "Forget the pages read") if now.recent else "",
            now.fetched,
            now.sent,
        )

"""``/-/settings/crunch``: Crunch's filters for one site, and its levels as a picture. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.proxy.own.crunch_options import CrunchLadder, CrunchSettings
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, sentences, styled_page
from winnow.proxy.own.templates.elements import hidden, select
from winnow.proxy.own.templates.navigation import CRUNCH, navigation
from winnow.proxy.own.translation import N_, _, filled

NAMES: Final[Mapping[str, str]] = {
    "cell-widths": N_("Widths of table cells"),
    "style-attributes": N_("Styles of single elements"),
    "div-styles": N_("Styles of <div> elements"),
    "ads": N_("Advertisements, by your lists"),
    "link-lists": N_("Lists of links"),
    "text-links": N_("Links of text"),
    "image-links": N_("Links of pictures"),
    "images": N_("Pictures"),
    "scripts": N_("Scripts"),
    "noscript": N_("Replacements for scripts"),
    "style-sheets": N_("Style sheets from elsewhere"),
    "styles": N_("Style sheets in the page"),
    "meta": N_("Metadata"),
    "forms": N_("Forms"),
    "inputs": N_("Input fields"),
    "buttons": N_("Buttons"),
    "selects": N_("Drop-down lists"),
    "frames": N_("Frames"),
    "embeds": N_("Embedded media"),
    "flash": N_("Flash"),
    "empty-tables": N_("Empty tables"),
}
"""What each filter removes."""
_ALTS: Final = {
    "": N_("As the level says"),
    "none": N_("Never"),
    "images": N_("For pictures"),
    "links": N_("For links of pictures"),
    "both": N_("For both"),
}
_ROW, _COLUMN, _LEFT, _TOP = 18, 24, 210, 22
_STYLE: Final = FRAME_STYLE + Markup("""
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .3rem; margin: 1rem 0; }
fieldset label { display: block; }
.boxes { columns: 2 17rem; }
.boxes label { break-inside: avoid; }
label input[type=number] { width: 7rem; }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 24rem; max-width: 34rem; height: auto; }
svg text { fill: CanvasText; font: 12px system-ui, sans-serif; }
svg .works { fill: var(--accent); opacity: .8; }
svg .here { fill: none; stroke: CanvasText; stroke-width: 2; }
""")


def crunch_page(
    site: str, shown: CrunchSettings, ladder: CrunchLadder, token: str, *, saved: bool
) -> HtmlPage:
    """``saved``: the settings are those stored for the site."""
    parts = (
        sentences(_(_LEAD)),
        _levels(site, shown.level, ladder),
        ladder_picture(ladder, shown.level),
        _form(site, shown, ladder, token, saved=saved),
        navigation(CRUNCH),
    )
    return styled_page(_("Page filters"), Markup("\n").join(parts), _STYLE)


_LEAD: Final = N_(
    "Crunch keeps a page’s own look and removes what its filters name. A level is a set of "
    "filters: 1 removes most, 12 next to nothing. Choose a level, change single filters, and save "
    "them for a site."
)
_PRESETS: Final = {
    "news": N_("News"),
    "shopping": N_("Shopping"),
    "government": N_("Government"),
    "education": N_("Education"),
    "text-heavy": N_("Much text"),
    "link-heavy": N_("Many links"),
}


def _levels(site: str, level: int, ladder: CrunchLadder) -> Markup:
    """A form that shows another level; links that show a preset."""
    choices = {str(number): str(number) for number in range(1, len(ladder.levels) + 1)}
    presets = Markup(", ").join(
        Markup('<a href="{}?{}">{}</a>').format(
            CRUNCH, urlencode({"site": site, "level": place}), _(_PRESETS.get(name, name))
        )
        for name, place in ladder.presets.items()
    )
    return Markup(
        '<form method="get" action="{}">{}{} <button>{}</button></form>\n<p>{}</p>'
    ).format(
        *(CRUNCH, hidden({"site": site}), select("level", _("Level"), choices, str(level))),
        *(_("Show"), filled(_("Presets: {links}"), links=presets)),
    )


def ladder_picture(ladder: CrunchLadder, level: int) -> Markup:
    """A bar for each filter, over the levels at which it works; a frame around ``level``."""
    rows = Markup("").join(
        Markup('<text x="0" y="{}">{}</text>{}').format(
            _TOP + place * _ROW + 13, _(NAMES.get(name, name)), _bar(ladder.last_level(name), place)
        )
        for place, name in enumerate(ladder.filters)
    )
    heads = Markup("").join(
        Markup('<text x="{}" y="14">{}</text>').format(_LEFT + index * _COLUMN + 6, index + 1)
        for index in range(len(ladder.levels))
    )
    height = _TOP + len(ladder.filters) * _ROW + 2
    frame = Markup('<rect class="here" x="{}" y="1" width="{}" height="{}"/>').format(
        _LEFT + (level - 1) * _COLUMN + 1, _COLUMN - 2, height - 2
    )
    return Markup(
        '<div class="scroll" tabindex="0" role="region" aria-label="{}">'
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg></div>'
    ).format(
        *(_("Levels"), _LEFT + len(ladder.levels) * _COLUMN, height),
        _("Filters by level: level {level} uses {used} of {all}.").format(
            level=level, used=len(ladder.at(level).filters), all=len(ladder.filters)
        ),
        *(heads, rows, frame),
    )


def _bar(levels: int, place: int) -> Markup:
    return Markup('<rect class="works" x="{}" y="{}" width="{}" height="{}"/>').format(
        _LEFT + 2, _TOP + place * _ROW + 3, max(levels * _COLUMN - 4, 0), _ROW - 6
    )


def _form(
    site: str, shown: CrunchSettings, ladder: CrunchLadder, token: str, *, saved: bool
) -> Markup:
    saying = _("These are the saved filters of {site}.").format(site=site)
    note = Markup('<p class="good">{}</p>').format(saying)
    forget = Markup(' <button name="forget" value="1">{}</button>').format(_("Forget"))
    return Markup(
        '<h2>{title}</h2>\n{note}<form method="post" action="{path}">{secret}{filters}{details}'
        '<p><label for="site">{label}</label> <input id="site" name="site" value="{site}" '
        'placeholder="example.com" maxlength="265" required></p>\n'
        '<p><button class="first">{save}</button>{forget}</p></form>\n<p>{method}</p>'
    ).format(
        title=_("Filters"),
        label=_("Site"),
        save=_("Save for this site"),
        note=note if saved else "",
        path=CRUNCH,
        secret=hidden({"token": token, "level": str(shown.level)}),
        filters=_filters(shown, ladder),
        details=_details(shown),
        site=site,
        forget=forget if saved else "",
        method=filled(
            _("As a method of one request: {method}"),
            method=Markup("<code>{}</code>").format(
                shown.specification(ladder).replace(":", f":level={shown.level},", 1)
            ),
        ),
    )


def _filters(shown: CrunchSettings, ladder: CrunchLadder) -> Markup:
    boxes = Markup("\n").join(
        _box(f"filter.{name}", _(NAMES.get(name, name)), name in shown.filters)
        for name in ladder.filters
    )
    return Markup('<fieldset><legend>{}</legend>\n<div class="boxes">{}</div></fieldset>\n').format(
        _("Remove"), boxes
    )


def _details(shown: CrunchSettings) -> Markup:
    alts = {value: _(text) for value, text in _ALTS.items()}
    fields = (
        _number("ratio", _("Most links per word in a list"), shown.ratio, (0.001, 1000), "any"),
        _number("substance", _("Shortest text of a table"), shown.substance, (0, 100_000)),
        _number("font", _("Size of text, per cent"), shown.font, (25, 400)),
        _number("fixed", _("Size of what has a fixed size, per cent"), shown.fixed, (10, 400)),
        Markup("<p>{}</p>").format(
            select("alts", _("Show texts of removed pictures"), alts, shown.alts)
        ),
        _box("modern", _("Treat sections as table cells"), shown.modern),
        _box("check", _("Undo a filter that would remove nearly everything"), shown.check),
        _box("retain", _("List removed links at the end"), shown.retain),
    )
    return Markup("<fieldset><legend>{}</legend>\n{}\n</fieldset>\n").format(
        _("Details"), Markup("\n").join(fields)
    )


def _box(name: str, text: str, ticked: bool) -> Markup:
    return Markup('<label><input type="checkbox" name="{}"{}> {}</label>').format(
        name, Markup(" checked") if ticked else "", text
    )


def _number(
    name: str, text: str, value: float, bounds: tuple[float, float], step: str = "1"
) -> Markup:
    return Markup(
        '<label><input type="number" name="{}" value="{:g}" min="{:g}" max="{:g}" step="{}" '
        "required> {}</label>"
    ).format(name, value, *bounds, step, text)

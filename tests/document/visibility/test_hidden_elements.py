"""What no browser shows is hidden; what a control of the page opens is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth import is_linear
from winnow.document.document import Document
from winnow.document.visibility import hiding_styles, screens, sheet_rules
from winnow.document.visibility.hidden_elements import hidden_elements

SECRET = "The secret sentence is long enough to be a paragraph of its own."
OPEN = "<p>The first open sentence, which everybody can read at once.</p>"
REST = "<p>The second one is there for the length of the page.</p>" * 4

HIDES = {
    "hidden": "<p hidden>{}</p>",
    "hidden with a value": '<p hidden="hidden">{}</p>',
    "display:none": '<p style="display:none">{}</p>',
    "display: none": '<p style="color:red; display: none;">{}</p>',
    "display:none!important": '<p style="display:none!important">{}</p>',
    "visibility:hidden": '<p style="visibility:hidden">{}</p>',
    "inside": "<div hidden><ul><li>{}</li></ul></div>",
    "class hidden": '<p class="note hidden">{}</p>',
    "class hide": '<p class="hide">{}</p>',
    "Bootstrap": '<p class="d-none">{}</p>',
    "Bootstrap, invisible": '<p class="invisible">{}</p>',
    "Webflow": '<p class="w-condition-invisible">{}</p>',
    "Bulma": '<p class="is-hidden">{}</p>',
    "AngularJS": '<p class="ng-hide">{}</p>',
    "utility": '<p class="u-hidden">{}</p>',
    "script's class": '<p class="js-hidden">{}</p>',
    "Tailwind, never": '<p class="hidden lg:hidden">{}</p>',
    "rule for a class": "<style>.b{{color:red}} .x {{ display: none }}</style><p class=x>{}</p>",
    "rule for an id": "<style>/* a */#x{{display:none!important}}</style><p id=x>{}</p>",
    "rule for several": "<style>.a,\n.x{{top:0;visibility:hidden}}</style><p class='c x'>{}</p>",
    "rule behind a block": "<style>@media print{{.b{{top:0}}}}.x{{display:none}}</style>"
    "<p class=x>{}</p>",
    "dialog": "<dialog>{}</dialog>",
    "dialog that a button opens": "<button aria-controls=m>Open</button>"
    "<div id=m role=dialog hidden>{}</div>",
    "menu that a button opens": "<button aria-controls=m>Open</button><nav id=m hidden>{}</nav>",
    "template": "<template>{}</template>",
    "rule for a place": "<style>main .x>p.y{{display:none}}</style><main><div class=x><p class=y>{}"
    "</p></div></main>",
    "rule of screens": "<style>@media screen{{.x{{display:none}}}}</style><p class=x>{}</p>",
    "off-screen far right": '<p style="position:fixed;right:-200em">{}</p>',
    "translated away": '<p style="transform:translateX(-9999px)">{}</p>',
    "copy for telephones": "<style>.x{{display:none}}"
    "@media (max-width:600px){{.x{{display:block}}}}</style><div class=x>{}</div>",
    "copy for telephones, telephones first": "<style>.x{{display:block}}"
    "@media only screen and (min-width:48em){{.x{{display:none}}}}</style><div class=x>{}</div>",
    "group in a group": "<style>@media only print, only all{{@media (width>=600px){{.y{{top:0}}}}"
    ".a{{top:0}}.x{{display:none}}}}</style><p class=x>{}</p>",
    "sheet for wide screens": "<style media='(min-width:600px)'>.x{{display:none}}</style>"
    "<p class=x>{}</p>",
    "menu under the pointer": "<style>.sub-menu{{opacity:0;transition:opacity 1s}}"
    "li:hover>.sub-menu{{opacity:1}}</style><ul><li>a<ul class=sub-menu><li>{}</ul></ul>",
    "note under the pointer": "<style>.x{{visibility:hidden}}a:hover+.x{{visibility:visible}}"
    "</style><a>a</a><span class=x>{}</span>",
    "another element's rule": "<style>.x{{opacity:0}}.x .y{{opacity:1}}</style><p class=x>{}</p>",
    "greater rule": "<style>#m .x{{display:none}}.x{{display:block}}</style><div id=m>"
    "<p class=x>{}</p></div>",
    "important rule": "<style>.x{{display:none!important}}.x{{display:block}}</style>"
    "<p class=x>{}</p>",
    "attribute": "<style>.x[data-v]{{display:none}}</style><p class=x data-v>{}</p>",
    "common name": "<style>"
    + "".join(f".x.c{n}{{{{display:none}}}}" for n in range(40))
    + "</style><p class='x c39'>{}</p>",
    "several without a button": "<style>.x{{display:none}}</style>"
    + "<p>a</p><div class=x>{0}</div>" * 3,
    "covers though a script may open it": "<style>.tooltip{{display:none}}.tooltip.on{{"
    "display:block}}</style><div class=tooltip>{}</div>",
    "on a dark ground": '<div style="background:#000"><p style="color:black">{}</p></div>',
}
WAYS = {
    "opacity": "opacity:0",
    "opacity as a decimal": "opacity: .0",
    "no size": "font-size:0",
    "one pixel": "font-size: 1px",
    "off-screen": "position:absolute;left:-9999px",
    "clip": "position:absolute;clip:rect(0,0,0,0)",
    "clip-path": "clip-path:inset(100%)",
    "no height": "height:0;overflow:hidden",
    "the ground's colour": "color:#fff;background-color:white",
    "no colour": "color:transparent",
    "scale": "transform:scale(0)",
    "indent": "text-indent:-9999px",
    "collapse": "visibility:collapse",
}
"""Ways to hide that the style of an element may have, its own or by its class."""
HIDES |= {f"{way}, inline": f'<p style="{css}">{{}}</p>' for way, css in WAYS.items()}
HIDES |= {
    f"{way}, by class": f"<style>.x{{{{{css}}}}}</style><p class=x>{{}}</p>"
    for way, css in WAYS.items()
}
FOLDS = {
    "details": "<details><summary>More</summary>{}</details>",
    "aria-controls": "<button aria-expanded=false aria-controls=m>Why?</button>"
    "<div id=m hidden>{}</div>",
    "aria-controls, style": "<button aria-controls=m>Why?</button>"
    '<div id=m style="display:none">{}</div>',
    "aria-controls, class": "<button aria-controls=m>Why?</button><div id=m class=hidden>{}</div>",
    "Bootstrap 3": '<a data-toggle=collapse data-target="#m">Why?</a><div id=m hidden>{}</div>',
    "Bootstrap 5": '<a data-bs-toggle=collapse data-bs-target="#m">Why?</a>'
    "<div id=m class=d-none>{}</div>",
    "tab of a link": '<a href="#m">Size</a><div id=m style="display:none">{}</div>',
    "tab panel": "<div role=tabpanel hidden>{}</div>",
    "accordion": '<h3>Why?</h3><div class="accordion-content" style="display:none">{}</div>',
    "collapsible": '<h3>Why?</h3><div class="c-collapsible" hidden>{}</div>',
    "read more behind": "<span hidden>{}</span> <a href=#>Read more</a>",
    "read more before": "<button>Show more</button><div hidden>{}</div>",
    "read more in German": '<div class="hide">{}</div><button>Weiterlesen …</button>',
    "until found": '<div hidden="until-found">{}</div>',
    "questions": '<h3>A?</h3><div class="a hidden">{0}</div><h3>B?</h3><div class="a hidden">{0}'
    '</div><h3>C?</h3><div class="a hidden">{0}</div>',
    "checked": "<style>.x{{display:none}} #c:checked ~ .x{{display:block}}</style>"
    "<input id=c type=checkbox><div class=x>{}</div>",
    "active": "<style>.x{{display:none}}.x.active{{display:flex}}</style><div class=x>{}</div>",
    "on wide screens": "<style>.x{{display:none}}@media (width>9em){{.x{{display:block}}}}</style>"
    "<div class=x>{}</div>",
    "later rule": "<style>.x{{display:none}}.x{{display:block}}</style><p class=x>{}</p>",
    "rule of another sheet": "<style>.x{{display:none}}</style>"
    "<style>div .x{{display:block}}</style><div><p class=x>{}</p></div>",
    "screen that is not ours": "<style>@media (max-width:600px){{.x{{display:none}}}}</style>"
    "<p class=x>{}</p>",
    "place among siblings": "<style>p:nth-of-type(2) .x{{display:none}}</style>"
    "<p><span class=x>{}</span></p>",
    "animation's step": "<style>@keyframes a{{.x{{opacity:0}}}}</style><p class=x>{}</p>",
    "questions by a rule": "<style>.x{{display:none}}</style>"
    + "<h3>A?</h3><p class=x>{0}</p>" * 3,
    "paragraphs of a text that is folded": "<style>.x{{display:none}}</style>"
    + "<p>a</p><p class=x>{0}</p>" * 3,
    "not in print": "<style>@media print{{.x{{display:none}}}}</style><div class=x>{}</div>",
    "print's sheet": "<style media=print>.x{{display:none}}</style><div class=x>{}</div>",
    "Tailwind, wide": '<div class="hidden md:block">{}</div>',
    "Bootstrap, wide": '<div class="d-none d-md-block">{}</div>',
    "aria-hidden": "<div aria-hidden=true>{}</div>",
    "clipped": '<span class="visually-hidden">{}</span>',
    "label for the ear": "<style>.sr-only{{position:absolute;clip:rect(0,0,0,0)}}</style>"
    '<span class="sr-only">{}</span>',
    "React streams": '<div hidden id="S:0">{}</div>',
    "Discourse": "<noscript><div>{}</div></noscript>",
    "open dialog": "<dialog open>{}</dialog>",
    "similar name": "<style>.x{{display:none}}</style><div class=x-y>{}</div>",
    "fade-in": '<p style="opacity:0;transition:opacity 1s">{}</p>',
    "fade-in by class": "<style>.x{{opacity:0;animation:a 1s forwards}}</style><p class=x>{}</p>",
    "slides in": '<p style="opacity:0;transform:translateY(60px)">{}</p>',
    "waits for a script": '<p class="js-reveal" style="opacity:0">{}</p>',
    "lazy": "<style>.lazy{{visibility:hidden}}</style><p class=lazy>{}</p>",
    "gradient": '<p style="color:transparent;background-clip:text;background:red">{}</p>',
    "slides": '<p style="opacity:0">{0}</p>' * 3,
    "on a picture": '<link rel=stylesheet href=a.css><p style="color:#fff">{}</p>',
    "on another ground": '<div style="background:#000"><p style="color:#fff">{}</p></div>',
    "on no colour, in one that is none": (
        '<div style="background:transparent"><p style="color:#fff;color:none">{}</p></div>'
    ),
    "columns without gaps": '<div style="font-size:0"><p class=a>{}</p></div>',
    "box of a film": '<div style="height:0;overflow:hidden;padding-top:56%">{}</div>',
    "taken back": "<style>.x{{opacity:0}}.x.on{{opacity:1}}</style><p class=x>{}</p>",
    "small screens": "<style>@media screen and (max-width:9em){{.x{{display:none}}}}</style>"
    "<p class=x>{}</p>",
    "elsewhere": "<style>nav .x{{display:none}}</style><p class=x>{}</p>",
    "comment": "<style>/*.a{{top:0}}.x{{display:none}}*/.y{{top:0}}</style><div class=x>{}</div>",
}


def shown(markup: str) -> str:
    document = Document.from_html(f"<body>{OPEN}{markup.format(SECRET)}{REST}")
    pieces = zip(document.pieces.start, document.pieces.end, document.hidden, strict=True)
    return " ".join(document.text[start:end] for start, end, hidden in pieces if not hidden)


@pytest.mark.parametrize("technique", HIDES)
def test_hidden_text_is_hidden(technique: str) -> None:
    found = shown(HIDES[technique])

    assert SECRET not in found
    assert OPEN[3:-4] in found


@pytest.mark.parametrize("technique", FOLDS)
def test_folded_text_is_shown(technique: str) -> None:
    assert SECRET in shown(FOLDS[technique])


def test_what_hides_most_of_a_page_is_shown_by_a_script() -> None:
    document = Document.from_html(f'<div class="invisible">{OPEN * 9}</div>{OPEN}')

    assert not document.hidden.any()


@pytest.mark.parametrize("css", ["none", "{", "}", "x:none}", "{display:none", ".x{{display:none}"])
def test_a_broken_style_sheet_hides_nothing(css: str) -> None:
    assert not Document.from_html(f"<style>{css}</style><p class=x>a</p>{REST}").hidden.any()


GROWING: dict[str, Callable[[int], str]] = {
    "comments": lambda n: "<style>" + "/*" * 4 * n + "</style><p class=x>a",
    "selectors": lambda n: (
        "<style>.x{display:none}" + ".x," * 2 * n + "{top:0}</style><p class=x>a"
    ),
    "declarations": lambda n: "<style>.x{" + "display:none " * n + "</style><p class=x>a",
    "rules": lambda n: "<style>" + ".x{display:none}" * n + "</style><p class=x>a",
    "open blocks": lambda n: "<style>" + "{.x{display:none}" * n + "</style><p class=x>a",
    "rules of a medium": lambda n: (
        "<style>@media screen{" + ".x .y{opacity:0}" * n + "</style><p class=y>a"
    ),
    "a long selector": lambda n: (
        "<style>.x " + "div " * 70 + ".x{opacity:0}</style>" + "<div class=x>" * (n // 250) + "a"
    ),
    "open media": lambda n: "<style>" + "@media screen{" * n + ".x{opacity:0}</style><p class=x>a",
    "nested media": lambda n: (
        "<style>" + "@media screen{" * n + ".x{opacity:0}" + "}" * n + "</style><p class=x>a"
    ),
    "other media": lambda n: "<style>" + "@media print{}" * n + ".x{opacity:0}</style><p class=x>a",
    "media without a block": lambda n: (
        "<style>" + "@media" * n + ".x{opacity:0}</style><p class=x>a"
    ),
    "elements of a rule": lambda n: (
        "<style>.x{opacity:0}</style>" + "<p style='color:#fff' class=x>a" * (2 * n // 5)
    ),
    "styled elements": lambda n: "<p style='color:#fff;overflow:hidden;height:0'>a" * (2 * n // 5),
    "hidden elements": lambda n: "".join(
        f"<p hidden id=n{at}>{SECRET}</p>" for at in range(2 * n // 5)
    ),
    "classes": lambda n: "<p class='" + "a:inline" * n + " hidden'>a</p>",
}


@pytest.mark.parametrize("name", GROWING)
def test_the_time_is_linear(name: str) -> None:
    few, many = (Document.from_html(GROWING[name](size)) for size in (3_125, 25_000))
    assert many.hidden.shape == (len(many.pieces),)
    assert is_linear(_hidden, few, many)


def _hidden(document: Document) -> list[int]:
    """Worked out anew: a document keeps it, and the process each sheet."""
    for module in (hiding_styles, screens, sheet_rules):
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()
    arrays = document.elements, document.pieces
    return hidden_elements(document.markup, document.text, *arrays, document.elements_named)

"""What no browser shows is hidden; what a control of the page opens is not."""

from __future__ import annotations

from time import process_time

import pytest

from winnow.document.document import Document

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
    "not in print": "<style>@media print{{.x{{display:none}}}}</style><div class=x>{}</div>",
    "print's sheet": "<style media=print>.x{{display:none}}</style><div class=x>{}</div>",
    "Tailwind, wide": '<div class="hidden md:block">{}</div>',
    "Bootstrap, wide": '<div class="d-none d-md-block">{}</div>',
    "aria-hidden": "<div aria-hidden=true>{}</div>",
    "clipped": '<span class="visually-hidden">{}</span>',
    "React streams": '<div hidden id="S:0">{}</div>',
    "Discourse": "<noscript><div>{}</div></noscript>",
    "open dialog": "<dialog open>{}</dialog>",
    "similar name": "<style>.x{{display:none}}</style><div class=x-y>{}</div>",
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


@pytest.mark.parametrize(
    "html",
    [
        "<style>" + "/*" * 200_000 + "</style><p class=x>a",
        "<style>.x{display:none}" + ".x," * 100_000 + "{top:0}</style><p class=x>a",
        "<style>.x{" + "display:none " * 50_000 + "</style><p class=x>a",
        "<style>" + ".x{display:none}" * 50_000 + "</style><p class=x>a",
        "<style>" + "{.x{display:none}" * 50_000 + "</style><p class=x>a",
        "".join(f"<p hidden id=n{n}>{SECRET}</p>" for n in range(20_000)),
        "<p class='" + "a:inline" * 50_000 + " hidden'>a</p>",
    ],
)
def test_the_time_is_linear(html: str) -> None:
    document = Document.from_html(html)
    start = process_time()
    assert document.hidden.shape == (len(document.pieces),)

    assert process_time() - start < 1.5

"""One part of a page for small screens, with its page numbers and forms; the list of its headings.
Pure."""

from __future__ import annotations

from markupsafe import Markup

from winnow.features.small.jobs import Field, PageForm, SmallPart
from winnow.features.small.templates.small_pages import SmallPageFrame, document
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.own.templates.elements import hidden
from winnow.proxy.own.translation import LANGUAGE, _


def article_page(
    url: str, part: SmallPart, frame: SmallPageFrame, saved: str, bookmark: Markup
) -> str:
    """One part of a page; ``saved`` says how many bytes were saved, ``bookmark`` is a form."""
    title = part.title or url
    own = LANGUAGE.get()
    ours = Markup(' lang="{}" dir="{}"').format(own.value, own.direction)
    body = Markup("\n").join(
        (
            Markup(
                '<header{}><p><a href="#text">{}</a> | <a href="{}">Winnow</a></p></header>'
            ).format(ours, _("Skip to the text"), frame.prefix),
            Markup('<main id="text"><h1>{}</h1>').format(title),
            _about(part),
            _top(url, part, frame, ours),
            Markup(part.markup),  # noqa: S704  # sanitised in the worker, twice
            _turning(url, part, frame, ours),
            Markup("</main>"),
            _forms(part, frame, ours),
            Markup("<footer{}><hr><p>{}</p>{}{}</footer>").format(
                ours, saved, bookmark, frame.original(url, _("Original page"))
            ),
        )
    )
    return document(title, body, frame, part.language or "und", part.direction)


def headings_page(url: str, part: SmallPart, frame: SmallPageFrame) -> str:
    """Where in a page its headings stand, as links."""
    own = LANGUAGE.get()
    ours = Markup(' lang="{}" dir="{}"').format(own.value, own.direction)
    items = Markup("\n").join(
        Markup('<li><a href="{}#{}">{}</a> <small{}>{}</small></li>').format(
            inside(frame.prefix, url, heading.part),
            heading.anchor,
            heading.text,
            ours,
            _("Page {number}").format(number=heading.part),
        )
        for heading in part.headings
    )
    body = Markup('<main><h1><a href="{}">{}</a></h1>{}<ul>\n{}\n</ul></main>').format(
        inside(frame.prefix, url), part.title or url, _about(part), items
    )
    return document(part.title or url, body, frame, part.language or "und", part.direction)


def _about(part: SmallPart) -> Markup:
    """Author, day and reading time."""
    if not part.facts:
        return Markup("")
    facts = Markup(part.facts)  # noqa: S704  # escaped in the worker
    return Markup("<p><small>{}</small></p>").format(facts)


def _top(url: str, part: SmallPart, frame: SmallPageFrame, ours: Markup) -> Markup:
    """Which part this is, where there are more; the way to the headings."""
    if part.parts < 2:
        return Markup("")
    more = Markup("")
    if len(part.headings) > 1:
        link = _at(frame.prefix, "h1", url)
        more = Markup(' | <a href="{}">{}</a>').format(link, _("Headings"))
    return Markup("<p{}><small>{}{}</small></p>").format(ours, _place(part), more)


def _place(part: SmallPart) -> str:
    return _("Page {number} of {all}").format(number=part.part, all=part.parts)


def _turning(url: str, part: SmallPart, frame: SmallPageFrame, ours: Markup) -> Markup:
    """Links to the previous and next part, a field for the number of any."""
    if part.parts < 2:
        return Markup("")
    links = []
    if part.part > 1:
        links.append(_part_link(url, part.part - 1, frame, _("Previous page")))
    if part.part < part.parts:
        links.append(_part_link(url, part.part + 1, frame, _("Next page")))
    return Markup('<nav aria-label="{}"{}><hr><p>{}</p><p>{}</p>{}</nav>').format(
        _("Pages"), ours, _place(part), Markup(" | ").join(links), _jump(url, part, frame)
    )


def _jump(url: str, part: SmallPart, frame: SmallPageFrame) -> Markup:
    if part.parts < 3:
        return Markup("")
    return Markup(
        '<form method="get" action="{}jump">{}<p><label for="part">{}</label> '
        '<input id="part" name="part" size="3"> <input type="submit" value="{}"></p></form>'
    ).format(frame.prefix, hidden({"url": url}), _("Go to page"), _("Go"))


def _part_link(url: str, part: int, frame: SmallPageFrame, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(inside(frame.prefix, url, part), text)


def inside(prefix: str, url: str, part: int = 1) -> str:
    """An address inside the gateway, at a part."""
    return prefix + url if part == 1 else _at(prefix, f"p{part}", url)


def _at(prefix: str, option: str, url: str) -> str:
    """An address inside the gateway, with one more option in its word."""
    words = prefix.removeprefix(SMALL_PATH).removesuffix("/")
    return f"{SMALL_PATH}{f'{words}.' if words else ''}{option}/{url}"


def _forms(part: SmallPart, frame: SmallPageFrame, ours: Markup) -> Markup:
    """The page's own forms, sent through the gateway."""
    shown = [_form(form, number, frame) for number, form in enumerate(part.forms, 1)]
    if part.has_password:
        shown.append(
            Markup("<p>{}</p>").format(
                _(
                    "This page has a log-in form. Winnow does not forward passwords: use the "
                    "original page."
                )
            )
        )
    if not shown:
        return Markup("")
    return Markup('<section aria-label="{}"{}><hr>{}</section>').format(
        _("Forms of this page"), ours, Markup("\n").join(shown)
    )


def _form(form: PageForm, number: int, frame: SmallPageFrame) -> Markup:
    action = form.action.partition("?")[0] if form.method == "get" else form.action
    fields = Markup(" ").join(
        _field(field, f"f{number}-{place}") for place, field in enumerate(form.fields)
    )
    return Markup(
        '<form method="{}" action="{}{}"><p>{} <input type="submit" value="{}"></p></form>'
    ).format(form.method, frame.prefix, action, fields, form.submit or _("Send"))


def _field(field: Field, name: str) -> Markup:
    if field.kind == "hidden":
        return hidden({field.name: field.value})
    label = Markup('<label for="{}">{}</label>').format(name, field.label or field.name)
    common = Markup('id="{}" name="{}"').format(name, field.name)
    match field.kind:
        case "select":
            options = Markup("").join(_option(field, *choice) for choice in field.choices)
            return label + Markup(" <select {}>{}</select>").format(common, options)
        case "area":
            return label + Markup(' <textarea {} rows="3" cols="16"></textarea>').format(common)
        case "checkbox" | "radio":
            ticked = Markup(" checked") if field.chosen else ""
            return Markup('<input type="{}" {} value="{}"{}> {}').format(
                field.kind, common, field.value, ticked, label
            )
        case _:
            return label + Markup(' <input {} value="{}" size="16">').format(common, field.value)


def _option(field: Field, value: str, text: str) -> Markup:
    chosen = Markup(" selected") if value == field.value else ""
    return Markup('<option value="{}"{}>{}</option>').format(value, chosen, text)

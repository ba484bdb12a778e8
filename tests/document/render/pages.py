"""Small documents and extractions for the renderers' tests."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Label, Profile, Recipe, Rendered, Span

VOID = frozenset(
    "area base br col embed frame hr img input link meta param source track wbr".split()
)


def whole(document: Document, *, title: str | None = None) -> Extraction:
    """An extraction that keeps everything."""
    spans = (Span(0, len(document.text)),) if document.text else ()
    return Extraction("whole", spans, title=title)


def keeping(document: Document, *wanted: str, label: Label = Label.BODY) -> Extraction:
    """An extraction that keeps these stretches of the text, each found behind the one before."""
    spans, position = [], 0
    for stretch in wanted:
        start = document.text.index(stretch, position)
        position = start + len(stretch)
        spans.append(Span(start, position, label))
    return Extraction("some", tuple(spans))


def shown(
    html: str,
    *wanted: str,
    form: Format = Format.HTML,
    url: str | None = "https://example.org/news/story.html",
    prefix: str = "",
    profile: Profile = Profile.READER,
) -> str:
    """A page rendered, all of it unless some stretches are named."""
    return rendered(html, *wanted, form=form, url=url, prefix=prefix, profile=profile).body.decode()


def rendered(
    html: str,
    *wanted: str,
    form: Format = Format.HTML,
    url: str | None = "https://example.org/news/story.html",
    prefix: str = "",
    profile: Profile = Profile.READER,
) -> Rendered:
    """The same with its facts."""
    document = Document.from_html(html, url)
    extraction = keeping(document, *wanted) if wanted else whole(document)
    recipe = Recipe(format=form, profile=profile, link_prefix=prefix)
    return renderer_for(recipe).render(document, extraction)


def main_of(page: str) -> str:
    """What stands in a reader page below its title."""
    return page.partition("</h1>\n")[2].rpartition("</main>")[0].partition("\n")[2]


class Elements(HTMLParser):
    """An independent look at a page: its elements, texts, and whether every tag has its match."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.errors: list[str] = []
        self.comments: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        self.errors += (f"<{name}> is left open" for name in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.errors.append(f"</{tag}> closes {self._open[-1:]}")

    def handle_data(self, data: str) -> None:
        if self._open[-1:] not in (["style"], ["title"]):
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def names(self) -> list[str]:
        """The elements' names in order."""
        return [name for name, _ in self.elements]

    def every(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of each element of a name."""
        return [attributes for found, attributes in self.elements if found == name]

    def words(self) -> list[str]:
        """The words of the page."""
        return " ".join(self.texts).split()


def dangers(page: str) -> Iterable[str]:
    """Whatever in a page could run or load a frame; none may be left."""
    for name, attributes in Elements(page).elements:
        if name in _RUNNING or (name == "meta" and "refresh" in str(attributes).lower()):
            yield f"<{name}>"
        for attribute, value in attributes.items():
            address = "".join((value or "").split()).lower()
            is_active = address.startswith(("javascript:", "vbscript:", "data:text", "data:app"))
            if attribute.startswith("on") or is_active or attribute in {"srcdoc", "formaction"}:
                yield f"<{name} {attribute}={value}>"


_RUNNING = frozenset(
    "script iframe frame frameset object embed applet base template noscript foreignobject "
    "animate set use annotation-xml portal fencedframe".split()
)

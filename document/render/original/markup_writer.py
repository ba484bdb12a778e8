"""Writes a page's elements as they were, less what could run.

The page is written from parsed markup, every attribute quoted, every text escaped, and no element
is left whose content browsers read by other rules (``noscript``, ``iframe``, ``xmp``, foreign
content that nh3 has not cleaned), so that no browser can read it differently from what was checked
here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape, unescape
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.edits import Edit, Operation, set_attributes
from winnow.document.parsing import tags
from winnow.document.render.addresses import Addresses
from winnow.document.render.embedded.images import image_of
from winnow.document.render.embedded.media import MediaWriter, sources_of
from winnow.document.render.original.attribute_writer import AttributeWriter
from winnow.document.render.original.pruned_lines import NO_LINES, PrunedLines
from winnow.document.render.reader.style import NO_SCRIPT
from winnow.document.render.selection import Mask, SegmentMarkup, Segments
from winnow.document.render.traversal import Step
from winnow.document.sanitise import sanitise, sanitise_choices, sanitise_drawing
from winnow.document.values import BAR_MARK

_REMOVED: Final = tags.codes_of(
    "script template base iframe object embed frame frameset noembed noframes canvas param noscript"
)
"""Their tags are never written. What is text in ``noscript`` stays."""
_RELATIONS: Final = frozenset(
    "stylesheet icon shortcut apple-touch-icon canonical alternate next prev author license".split()
)
WHOLE: Final = frozenset({Operation.REMOVE, Operation.EMPTY, Operation.REPLACE})
"""Edits that leave nothing of what an element holds."""
_RENAMED: Final = {"xmp": "pre", "plaintext": "pre"}
"""Browsers do not read escapes in these."""
_HREF: Final = re.compile(r' href="([^"]*)"')
_DRAWINGS: Final = frozenset({"svg", "math"})


def standing(document: Document) -> Mask:
    """All elements but media, which are segments, and what no browser shows."""
    elements = document.elements
    hidden = np.zeros(len(elements) + 1, dtype=np.int32)
    hiding = np.flatnonzero(elements.hides)
    np.add.at(hidden, hiding, 1)
    np.add.at(hidden, elements.last[hiding], -1)
    standing: Mask = ~np.isin(elements.tag, list(tags.MEDIA)) & (np.cumsum(hidden[:-1]) == 0)
    return standing


class MarkupWriter:
    """Writes elements as they were, less what could run."""

    def __init__(
        self,
        document: Document,
        segments: Segments,
        edits: tuple[Edit, ...],
        addresses: Addresses,
        lines: PrunedLines = NO_LINES,
    ) -> None:
        self.document, self.segments, self.addresses = document, segments, addresses
        self.attributes, self.sources = (
            AttributeWriter(addresses),
            SegmentMarkup(document, segments),
        )
        self.media = MediaWriter(document, segments, addresses, words=lines.words)
        self.out: list[str] = []
        self.lines = lines
        self.edits: dict[int, list[Edit]] = {}
        for edit in edits:
            self.edits.setdefault(edit.element, []).append(edit)
        self.writers: Mapping[str, Callable[[int], str]] = {
            "title": self._verbatim,
            "textarea": self._verbatim,
            "style": self._style,
            "link": self._link,
            "meta": self._meta,
            "select": self._select,
            "datalist": self._select,
        }

    def write(self, steps: Iterable[tuple[Step, int]]) -> None:
        """Write what a walk meets."""
        for step, index in steps:
            if step is Step.SEGMENT:
                self.segment(index)
            elif step is Step.OPEN:
                self.open(index)
            else:
                self.close(index)

    def open(self, element: int) -> None:
        """Write a start tag, or the whole of an element that holds no pieces."""
        name = self.document.name_of(element)
        replacement = self._edit(element, Operation.REPLACE)
        if replacement:
            self.out.append(self._inserted(replacement))
        elif write := self.writers.get(name):
            self.out.append(write(element))
        elif self._has_tags(element, name):
            self._space(int(self.document.elements.open_start[element]))
            self.out.append(f"<{_RENAMED.get(name, name)}{self._attributes(element)}>")
            self.out.append(_OPENINGS.get(name, ""))
        if line := self.lines.within.get(element):
            self.out.append(line)

    def close(self, element: int) -> None:
        """Write the end tag, with what edits append before it."""
        name = self.document.name_of(element)
        if self._edit(element, Operation.REPLACE) or name in self.writers:
            return
        if appended := self._edit(element, Operation.APPEND):
            self.out.append(self._inserted(appended))
        is_void = self.document.elements.tag[element] in tags.VOID
        if not is_void and self._has_tags(element, name):
            self.out.append(f"</{_RENAMED.get(name, name)}>")
        if line := self.lines.behind.get(element):
            self.out.append(line)

    def segment(self, index: int) -> None:
        """Write a selected stretch of text, or one medium."""
        document, piece = self.document, int(self.segments.piece[index])
        owner = int(document.pieces.owner[piece])
        if document.media[piece]:
            self._space(int(document.elements.open_start[owner]))
            self.out.append(self._medium(owner))
            return
        self.out.append(self.sources[index])

    def _has_tags(self, element: int, name: str) -> bool:
        """Whether an element's tags are written: not those that could run, nor unwrapped ones."""
        is_gone = self.document.elements.tag[element] in _REMOVED or not is_harmless(name)
        return not is_gone and not any(
            edit.operation is Operation.UNWRAP for edit in self.edits.get(element, ())
        )

    def _edit(self, element: int, operation: Operation) -> str:
        values = (e.value for e in self.edits.get(element, ()) if e.operation is operation)
        return "".join(values)

    def _attributes(self, element: int) -> str:
        attributes = self._edited(element, self.document.attributes_of(element))
        return self.attributes.write(self.document.name_of(element), attributes)

    def _edited(self, element: int, attributes: Mapping[str, str]) -> dict[str, str]:
        """The attributes less those that edits drop, with those that they set."""
        edits = self.edits.get(element, ())
        dropped = {e.value.lower() for e in edits if e.operation is Operation.DROP_ATTRIBUTE}
        left = {name: value for name, value in attributes.items() if name not in dropped}
        return left | dict(set_attributes(edits))

    def _space(self, offset: int) -> None:
        """Keep the white space that stands before an element: inline boxes would else touch."""
        is_spaced = self.document.markup[offset - 1 : offset].isspace()
        if is_spaced and self.out and not self.out[-1][-1:].isspace():
            self.out.append("\n")

    def _medium(self, element: int) -> str:
        name = self.document.name_of(element)
        if replacement := self._edit(element, Operation.REPLACE):
            return self._inserted(replacement)
        if self._edit_removes(element):
            return ""
        if name == "img":
            return self._image(element)
        if name in _DRAWINGS:
            return sanitise_drawing(self._source(element))
        return sanitise(self.media.write(element))

    def _inserted(self, markup: str) -> str:
        """Markup that an edit puts in, made harmless, its links rewritten like all links."""
        return _HREF.sub(
            lambda found: f' href="{escape(self.addresses.link(unescape(found[1])))}"',
            sanitise(markup),
        )

    def _edit_removes(self, element: int) -> bool:
        return any(edit.operation in WHOLE for edit in self.edits.get(element, ()))

    def _image(self, element: int) -> str:
        """The image with its classes and styles, lazy loading undone."""
        attributes = self.document.attributes_of(element)
        image = image_of(
            attributes, sources_of(self.document, element), Addresses(self.addresses.base)
        )
        if image.src and self.media.repeats(element, image):
            return ""
        if image.src:
            attributes = {key: attributes[key] for key in attributes if not key.startswith("data-")}
            attributes |= {"src": image.src, "srcset": image.srcset, "loading": "lazy"}
        return f"<img{self.attributes.write('img', self._edited(element, attributes))}>"

    def _source(self, element: int) -> str:
        elements = self.document.elements
        return self.document.markup[elements.open_start[element] : elements.close_end[element]]

    def _content(self, element: int) -> str:
        elements = self.document.elements
        return self.document.markup[elements.open_end[element] : elements.close_start[element]]

    def _verbatim(self, element: int) -> str:
        """An element whose content is escaped text."""
        name = self.document.name_of(element)
        content = self._content(element)
        return "" if "<" in content else f"<{name}{self._attributes(element)}>{content}</{name}>"

    def _style(self, element: int) -> str:
        declared = self.document.attributes_of(element)
        attributes: dict[str, str] = {
            key: declared[key] for key in ("media", "type") if key in declared
        }
        style = self.attributes.stylesheet(self._content(element))
        return f"<style{self.attributes.write('style', attributes)}>{style}</style>"

    def _link(self, element: int) -> str:
        relations = self.document.attributes_of(element).get("rel", "").lower().split()
        if not relations or not _RELATIONS.issuperset(relations):
            return ""
        return f"<link{self._attributes(element)}>"

    def _meta(self, element: int) -> str:
        attributes = self.document.attributes_of(element)
        if "http-equiv" in attributes or "charset" in attributes:
            return ""
        return f"<meta{self._attributes(element)}>"

    def _select(self, element: int) -> str:
        return sanitise_choices(self._source(element))


def is_harmless(name: str) -> bool:
    """Whether an element that is not gone by name may stay: one of HTML's that we know, or a custom
    element (HTML standard, 4.13.2), for which no browser has a meaning without a script."""
    is_plain = name.isascii() and name.replace("-", "").isalnum()
    return is_plain and (name in tags.CODES or "-" in name)


_OPENINGS: Final = {
    "head": '<meta charset="utf-8">'
    f'<meta http-equiv="Content-Security-Policy" content="{NO_SCRIPT}">',
    "body": BAR_MARK.decode(),
}
"""What we put in at the beginning of an element."""

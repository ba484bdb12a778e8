"""Where in the HTML each value of a template stands, and what it is checked by there.

Jinja2 escapes every value as text (autoescape). Here each ``{{ value }}`` gets the filter of its
place, too: :mod:`winnow.proxy.own.checked_values`. A place where no value is safe (outside quotes,
in ``style``, ``srcdoc`` or a handler of an event) is an error of the template.

The build compiles templates by this module (``setup.py``), so it needs Jinja2 alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateSyntaxError
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from winnow.proxy.own.checked_values import address, attribute, component, sheet

ADDRESSES: Final = frozenset(
    "action background cite data formaction href icon longdesc manifest ping poster src "
    "xlink:href".split()
)
"""Attributes that hold one address (HTML, "Attributes" index)."""
_NOWHERE: Final = re.compile(r"on.*|style|srcdoc|srcset|imagesrcset|content|http-equiv")
_TAG: Final = re.compile(r"<(!--|/?[a-zA-Z][^\s/>]*|/?\Z)")
_ATTRIBUTE: Final = re.compile(r"""[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(["']|[^\s"'>]+|\Z))?|[\s/]*(>)""")
_RAW: Final = frozenset({"script", "style"})


class MarkupContexts(Extension):
    """Puts each value through the filter of its place."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        place, in_text, after = MarkupPlace(), False, None
        for token in stream:
            if token.type == "data":
                place.read(token.value)
            elif after == "block_begin" and token.value in {"trans", "endtrans"}:
                in_text = token.value == "trans"
            after = token.type
            if token.type not in {"variable_begin", "variable_end"}:
                yield token
                continue
            name, line = place.filter, token.lineno
            if name is None:
                raise TemplateSyntaxError(f"No value may stand here ({place}).", line, stream.name)
            plain = in_text or not name  # a value of a translated text is a name alone
            if in_text and name not in {"", "attribute"}:
                raise TemplateSyntaxError("No text may stand here.", line, stream.name)
            if token.type == "variable_begin":
                yield token
                if not plain:
                    yield Token(line, "lparen", "(")
            else:
                if not plain:
                    yield from (Token(line, "rparen", ")"), Token(line, "pipe", "|"))
                    yield Token(line, "name", name)
                yield token
                place.begun = True


class MarkupPlace:
    """A place in HTML, moved on by what a template says between its values."""

    def __init__(self) -> None:
        self.element = self.name = self.quote = ""
        self.where = "text"
        """Or ``tag``, ``value`` (in quotes), ``unquoted``, ``raw`` (script, style), ``comment``."""
        self.begun = False
        """Whether something stands before, in the attribute's value."""

    def __str__(self) -> str:
        return f"{self.where} {self.element} {self.name}".strip()

    @property
    def filter(self) -> str | None:
        """The filter's name, "" for text; None where no value may stand."""
        if self.where == "text":
            return ""
        if self.where == "raw":
            return "sheet"
        if self.where != "value" or _NOWHERE.fullmatch(self.name):
            return None
        if self.name not in ADDRESSES:
            return "attribute"
        return "component" if self.begun else "address"

    def read(self, data: str) -> None:
        """Move on over ``data``."""
        rest = data
        while rest:
            rest = getattr(self, f"_{self.where}")(rest)

    def _text(self, data: str) -> str:
        found = _TAG.search(data)
        if found is None:
            return ""
        self.where = "comment" if found[1] == "!--" else "tag"
        self.element, self.name = found[1].lower(), ""
        return data[found.end() :]

    def _comment(self, data: str) -> str:
        return self._until("-->", data)

    def _raw(self, data: str) -> str:
        return self._until(f"</{self.element}>", data)

    def _until(self, end: str, data: str) -> str:
        _, found, rest = data.partition(end)
        if found:
            self.where = "text"
        return rest

    def _tag(self, data: str) -> str:
        found = _ATTRIBUTE.match(data)
        if found is None:
            return "" if data.isspace() else data[1:]
        name, value, end = found.groups()
        if end:
            self.where = "raw" if self.element in _RAW else "text"
        elif value is not None:
            self.name, self.begun = name.lower(), False
            self.quote = value if value in {'"', "'"} else ""
            if self.quote:
                self.where = "value"
            elif found.end() == len(data):
                self.where = "unquoted"
        return data[found.end() :]

    def _unquoted(self, data: str) -> str:
        self.where = "tag"
        return data

    def _value(self, data: str) -> str:
        inside, end, rest = data.partition(self.quote)
        self.begun = self.begun or bool(inside)
        if end:
            self.where = "tag"
        return rest


def template_environment(loader: BaseLoader | None = None) -> Environment:
    """What templates are compiled by, without the functions that they call."""
    made = Environment(
        loader=loader,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", MarkupContexts],
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.policies["ext.i18n.trimmed"] = True
    made.newstyle_gettext = True  # type: ignore[attr-defined]  # set by the extension
    made.filters.update({each.__name__: each for each in (address, attribute, component, sheet)})
    return made


def python_of(source: str, name: str) -> str:
    """A template as the Python module that Jinja2 makes of it. Raises TemplateSyntaxError."""
    return template_environment().compile(source, name, name, raw=True, defer_init=True)

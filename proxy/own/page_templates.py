"""Templates of own pages: ``.html`` beside the handler, with Jinja2.

A wheel has each compiled (``setup.py``), as a module beside it; a checkout compiles at first use.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from jinja2 import BaseLoader, Environment, Template, TemplateNotFound
from markupsafe import Markup, escape

from winnow.proxy.own import translation
from winnow.proxy.own.checked_values import own_address, web_address
from winnow.proxy.own.markup_contexts import template_environment
from winnow.proxy.own.templates import elements, method_words, navigation


def program(prefix: Path, found: str | None) -> str:
    """``winnow`` where the shell finds it, else as it is called in the checkout of ``make run``."""
    in_checkout = prefix.name == ".venv" and not found
    return ".venv/bin/winnow" if in_checkout else "winnow"


PROGRAM: Final = program(Path(sys.prefix), shutil.which("winnow"))


def own_command(words: str) -> Markup:
    """The command with these words behind the program, as code."""
    return Markup("<code>{} {}</code>").format(PROGRAM, words)


_NAMED: Final = re.compile(r"%\((\w+)\)s")
PageTemplate = Callable[..., Markup]


def page_template(package: str | None, name: str) -> PageTemplate:
    """The template of a file in a package, called with its values by name.

    A handler's module calls it once, with its ``__package__``, so that no request waits for a disk.
    """
    template = environment().get_template(f"{str(package).replace('.', '/')}/{name}")
    return lambda **values: Markup(template.render(values))  # noqa: S704 - it escapes its values


def own_file(package: str | None, name: str) -> Markup:
    """A style sheet or script of ours, as it stands in a page."""
    return Markup(files(str(package)).joinpath(name).read_text("utf-8"))  # noqa: S704 - our file


class PackageFiles(BaseLoader):
    """Templates by the path of their package; compiled ones are modules such as ``base_html``."""

    def load(
        self,
        environment: Environment,
        name: str,
        globals: Any = None,  # noqa: A002 - Jinja2's name
    ) -> Template:
        compiled = name.replace("/", ".").replace(".html", "_html")
        if find_spec(compiled) is None:
            return super().load(environment, name, globals)
        module = vars(import_module(compiled))
        return environment.template_class.from_module_dict(environment, module, globals or {})

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        """Raises TemplateNotFound."""
        package, _, name = template.rpartition("/")
        try:
            file = files(package.replace("/", ".")).joinpath(name)
            return file.read_text("utf-8"), str(file), None
        except (FileNotFoundError, ModuleNotFoundError) as error:
            raise TemplateNotFound(template) from error


@cache
def environment() -> Environment:
    """The one of all own pages, with the functions that templates call."""
    made = template_environment(PackageFiles())
    made.globals.update(_FUNCTIONS)
    return made


@cache
def braced(text: str) -> str:
    """A text of ``{% trans %}`` as catalogues have it: ``%(name)s`` is ``{name}`` there."""
    return _NAMED.sub(r"{\1}", text).replace("%%", "%")


def _gettext(text: str, /, **values: object) -> Markup:
    found = translation._(braced(text))
    return translation.filled(found, **values) if values else escape(found)


def _ngettext(one: str, many: str, amount: int, /, **values: object) -> Markup:
    text = translation.catalogue_of(braced(one)).plural(braced(one), braced(many), amount)
    return translation.filled(text, **{**values, "number": translation.number(amount)})


_FUNCTIONS: Final[Mapping[str, Callable[..., object]]] = {
    "gettext": _gettext,
    "ngettext": _ngettext,
    "counted_words": translation.counted_words,
    "day": translation.day,
    "form": elements.form,
    "hidden": elements.hidden,
    "link_to": navigation.link_to,
    "method_text": method_words.method_text,
    "method_words": method_words.method_words,
    "moment": translation.moment,
    "navigation": navigation.navigation,
    "number": translation.number,
    "own_address": own_address,
    "own_command": own_command,
    "own_words": translation.own_words,
    "percent": translation.percent,
    "select": elements.select,
    "slider": elements.slider,
    "web_address": web_address,
}

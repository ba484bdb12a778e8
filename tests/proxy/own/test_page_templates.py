"""Every template of every page: payloads in each of its values, texts, and as a wheel has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from jinja2 import Environment, meta
from jinja2.nodes import Extends
from markupsafe import Markup

from tests.document.render.pages import dangers
from tests.payloads import PAYLOADS
from tests.sweeps import rest_in_release
from winnow.proxy.own.checked_values import own_address
from winnow.proxy.own.languages import Language
from winnow.proxy.own.markup_contexts import python_of, template_environment
from winnow.proxy.own.page_templates import PackageFiles, braced, environment
from winnow.proxy.own.translation import speaking

ROOT: Final = Path(__file__).parents[3]
NAMES: Final = sorted(
    f"winnow/{file.relative_to(ROOT)}"
    for room in ("features", "proxy")
    for file in (ROOT / room).rglob("*.html")
)


class Hostile(str):
    """A payload that is everything that a template asks of a value."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        plain = name.startswith("_") or name == "encode"
        return super().__getattribute__(name) if plain else self

    def __add__(self, _other: object) -> Hostile:
        return self

    __sub__ = __add__

    def __call__(self, *_given: object, **_named: object) -> Hostile:
        return self

    def __format__(self, spec: str) -> str:  # a number of things, too
        return super().__format__(spec.replace(",", ""))

    def __index__(self) -> int:
        return 2

    def __gt__(self, _other: object) -> bool:
        return True

    def __getitem__(self, _key: object) -> Hostile:
        return self

    def __iter__(self) -> Iterator[Hostile]:  # once: rows, and pairs of them
        return iter((Hostile(str(self)), Hostile(str(self))))


def hostile_environment() -> Environment:
    """Ours, but what ours refuses there is an address or a style of ours."""
    made = template_environment(PackageFiles())
    here = own_address("/-/here")
    checked = dict.fromkeys(("own_address", "web_address"), lambda _value: here)
    made.globals.update({**environment().globals, **checked})
    made.filters.update(
        address=lambda _value: own_address("/-/here"), sheet=lambda _value: Markup()
    )
    return made


def wanted_by(made: Environment, name: str) -> set[str]:
    """The values of a template and of those that it extends."""
    assert made.loader is not None
    parsed = made.parse(made.loader.get_source(made, name)[0])
    bases = [each.template.value for each in parsed.find_all(Extends)]  # type: ignore[attr-defined]
    found = meta.find_undeclared_variables(parsed)
    return found.union(*(wanted_by(made, base) for base in bases))


def test_there_are_templates() -> None:
    assert "winnow/proxy/own/templates/base.html" in NAMES


@pytest.mark.parametrize("kind", PAYLOADS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("apart", rest_in_release([False, True], [False]))
def test_no_payload_acts_in_any_value(name: str, kind: str, *, apart: bool) -> None:
    """All payloads of a kind in one value, and for release each alone."""
    made = hostile_environment()
    assert made.loader is not None
    wanted = wanted_by(made, name) - made.globals.keys()

    def found(value: str) -> list[str]:
        return list(dangers(made.get_template(name).render(dict.fromkeys(wanted, Hostile(value)))))

    ours = found("harmless")
    for payload in PAYLOADS[kind] if apart else ["".join(PAYLOADS[kind])]:
        assert found(payload) == ours, payload


@pytest.mark.parametrize("name", NAMES)
def test_a_wheel_s_module_is_the_template(name: str) -> None:
    made = environment()
    assert made.loader is not None
    module: dict[str, object] = {"__file__": name}
    exec(python_of(made.loader.get_source(made, name)[0], name), module)
    compiled = made.template_class.from_module_dict(made, module, {})
    assert compiled.name == name
    assert set(compiled.blocks) == set(made.get_template(name).blocks)


def test_a_text_is_translated_and_its_values_are_escaped() -> None:
    made = environment().from_string(
        "{% trans name=value %}Search with {{ name }}{% endtrans %}|"
        "{% trans count=2000 %}{{ number }} word{% pluralize count %}{{ number }} words"
        "{% endtrans %}"
    )
    with speaking(Language.GERMAN):
        assert made.render(value="<b>") == "Mit &lt;b&gt; suchen|2.000 Wörter"


def test_a_text_is_in_the_catalogues_with_braces() -> None:
    assert braced("%(number)s%% of %(whole)s") == "{number}% of {whole}"

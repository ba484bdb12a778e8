"""Hand-written rules per site (Pasternack & Roth 2009, section 5.1): selectors to gold texts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from winnow.document.addresses import host_of
from winnow.document.document import Document
from winnow.evaluation.errors import RulesError
from winnow.evaluation.subjects.subject import text_of_spans
from winnow.extractors.baselines.plain import Plain

_KEYS = {"host", "main", "headline", "byline", "drop"}


@dataclass(frozen=True, slots=True)
class GoldRule:
    """CSS selectors for the pages of one host and its subdomains; an empty host is any.

    ``main``: the elements that hold the main text, in document order. ``drop``: elements inside
    them that are no part of it. ``headline``, ``byline``: the first element that matches.
    """

    host: str
    main: str
    headline: str = ""
    byline: str = ""
    drop: str = ""

    def suits(self, url: str) -> bool:
        """Whether the rule is for this address."""
        host = host_of(url)
        return not self.host or host == self.host or host.endswith(f".{self.host}")


@dataclass(frozen=True, slots=True)
class Gold:
    """What a rule finds on a page; plain texts, empty where nothing matched."""

    main: str
    headline: str = ""
    byline: str = ""

    @property
    def variants(self) -> tuple[str, ...]:
        """The other right answers: from the byline, or from the headline on (section 4.1)."""
        starts = ([self.byline], [self.headline, self.byline], [self.headline])
        found = ("\n\n".join(filter(None, [*start, self.main])) for start in starts)
        return tuple(dict.fromkeys(text for text in found if text != self.main))


def read_rules(path: Path) -> list[GoldRule]:
    """The ``[[site]]`` tables of a TOML file. Raises RulesError, which names what is wrong."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("site", [])
    except (OSError, ValueError) as error:
        raise RulesError(f"{path} cannot be read: {error}.") from error
    if not isinstance(tables, list) or not tables:
        raise RulesError(f"{path} has no [[site]] table: add one for each site.")
    return [_rule(path, table) for table in tables]


def _rule(path: Path, table: Mapping[str, object]) -> GoldRule:
    if unknown := sorted(set(table) - _KEYS):
        raise RulesError(f"{path}: {unknown[0]!r} is none of {', '.join(sorted(_KEYS))}.")
    if not all(isinstance(value, str) for value in table.values()) or not table.get("main"):
        raise RulesError(f"{path}: every [[site]] needs a selector `main`; all values are texts.")
    rule = GoldRule(**{"host": "", **{key: str(value) for key, value in table.items()}})
    for selector in filter(None, (rule.main, rule.headline, rule.byline, rule.drop)):
        _tried(path, selector)
    return rule


def _tried(path: Path, selector: str) -> None:
    try:
        LexborHTMLParser("<p>").css(selector)
    except SelectolaxError as error:
        raise RulesError(f"{path}: {selector!r} is no CSS selector that is understood.") from error


def rule_for(rules: Iterable[GoldRule], url: str) -> GoldRule | None:
    """The first rule that suits the address."""
    return next((rule for rule in rules if rule.suits(url)), None)


def gold_of(document: Document, rule: GoldRule) -> Gold:
    """What the rule finds on a page."""
    tree = LexborHTMLParser(document.markup)
    found = {name: _first(tree, getattr(rule, name)) for name in ("headline", "byline")}
    chosen = _outermost(tree.css(rule.main))
    if rule.drop:
        for node in [inner for outer in chosen for inner in outer.css(rule.drop)]:
            node.decompose()
    main = "\n\n".join(filter(None, (_text(node) for node in chosen)))
    return Gold(main, found["headline"], found["byline"])


def _first(tree: LexborHTMLParser, selector: str) -> str:
    node = tree.css_first(selector) if selector else None
    return _text(node) if node is not None else ""


def _outermost(nodes: Sequence[LexborNode]) -> list[LexborNode]:
    """Without those that stand in another of them."""
    ids = {node.mem_id for node in nodes}
    return [node for node in nodes if not ids & set(_ancestors(node))]


def _ancestors(node: LexborNode) -> Iterable[int]:
    parent = node.parent
    while parent is not None:
        yield parent.mem_id
        parent = parent.parent


def _text(node: LexborNode) -> str:
    document = Document.from_html(node.html or "")
    return text_of_spans(document.text, Plain().extract(document)).replace("\ufffc", "").strip()

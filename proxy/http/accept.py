"""Accept and Accept-Encoding (RFC 9110, section 12.5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from winnow.proxy.http.headers import cached_by_text


@dataclass(frozen=True, slots=True)
class Preference:
    """One member of an Accept field: ``name`` in lower case, ``weight`` in 0..1."""

    name: str
    weight: float


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip().lower() == "q":
            try:
                return min(max(float(value.strip()), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0


@cached_by_text
def preferences(field: str) -> tuple[Preference, ...]:
    """The members by descending weight, else in order (RFC 9110, section 12.4.2)."""
    members = []
    for member in field.split(","):
        name, *parameters = member.split(";")
        if name.strip():
            members.append(Preference(name.strip().lower(), _weight(parameters)))
    return tuple(sorted(members, key=lambda member: -member.weight))


def accepts_coding(field: str | None, coding: str) -> bool:
    """Whether a content coding is acceptable (section 12.5.3); without a field: identity only."""
    if field is None:
        return coding == "identity"
    weights = {member.name: member.weight for member in preferences(field)}
    default = weights.get("*", 1.0 if coding == "identity" else 0.0)
    return weights.get(coding, default) > 0


@lru_cache(maxsize=64)
def limited_to(field: str, codings: frozenset[str]) -> str:
    """An Accept-Encoding field with these codings and identity alone."""
    members = [
        member.strip()
        for member in field.split(",")
        if member.split(";", 1)[0].strip().lower() in codings | {"identity"}
    ]
    return ", ".join(members) or "identity"

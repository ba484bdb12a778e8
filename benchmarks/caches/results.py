"""The counts and texts of the cases' results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from winnow.evaluation.reporting.tables import aligned


class Kind(StrEnum):
    """What passing a case means; ``check`` asks how a cache behaves, where both is right."""

    REQUIRED = "required"
    OPTIMAL = "optimal"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Case:
    """One case through one proxy; ``failure`` is empty where it passed."""

    suite: str
    id: str
    kind: Kind
    depends: tuple[str, ...] = ()
    failure: str = ""


def read(lines: Iterable[str]) -> tuple[Case, ...]:
    """The cases that ``run.mjs`` printed."""
    return tuple(_case(json.loads(line)) for line in lines if line.startswith("{"))


def _case(record: Mapping[str, object]) -> Case:
    depends = record["depends"]
    return Case(
        str(record["suite"]),
        str(record["id"]),
        Kind(str(record["kind"])),
        tuple(map(str, depends)) if isinstance(depends, list) else (),
        str(record["failure"]),
    )


def resolved(cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases, those failed too that passed but depend on one that failed."""
    by_id = {case.id: case for case in cases}

    def culprit(case: Case) -> str:
        for name in case.depends:
            needed = by_id.get(name)
            if needed and (needed.failure or culprit(needed)):
                return name
        return ""

    def settled(case: Case) -> Case:
        needs = culprit(case)
        record = f"needs {needs}" if needs else case.failure
        return Case(case.suite, case.id, case.kind, case.depends, record)

    return tuple(map(settled, cases))


def counts(cases: Iterable[Case], kind: Kind) -> tuple[int, int]:
    """How many of a kind passed, and of how many."""
    of_kind = [case for case in cases if case.kind is kind]
    return sum(not case.failure for case in of_kind), len(of_kind)


def table(runs: Mapping[str, Sequence[Case]]) -> str:
    """One line a proxy: what passed of each kind."""
    heading = ("proxy", *Kind)
    lines = [
        [name, *("{}/{}".format(*counts(cases, kind)) for kind in Kind)]
        for name, cases in runs.items()
    ]
    return aligned(heading, lines, 1)


def failing(cases: Iterable[Case], others: Mapping[str, Sequence[Case]]) -> str:
    """What fails of a proxy, with the reason and with who fails there too."""
    also = {case.id: name for name, run in others.items() for case in run if case.failure}
    lines = [
        f"{case.kind:9} {case.id:60} {case.failure}"
        + (f" (so does {also[case.id]})" if case.id in also else "")
        for case in sorted(cases, key=lambda case: (case.kind != Kind.REQUIRED, case.id))
        if case.failure and case.kind is not Kind.CHECK
    ]
    return "\n".join(lines)

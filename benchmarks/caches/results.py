"""The cases' results counted and told; knows kinds and dependencies, runs nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from winnow.evaluation.tables import aligned


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


def _case(told: Mapping[str, object]) -> Case:
    depends = told["depends"]
    return Case(
        str(told["suite"]),
        str(told["id"]),
        Kind(str(told["kind"])),
        tuple(map(str, depends)) if isinstance(depends, list) else (),
        str(told["failure"]),
    )


def resolved(cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases, those failed too that passed but depend on one that failed."""
    known = {case.id: case for case in cases}

    def culprit(case: Case) -> str:
        for name in case.depends:
            needed = known.get(name)
            if needed and (needed.failure or culprit(needed)):
                return name
        return ""

    def settled(case: Case) -> Case:
        needs = culprit(case)
        told = f"needs {needs}" if needs else case.failure
        return Case(case.suite, case.id, case.kind, case.depends, told)

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

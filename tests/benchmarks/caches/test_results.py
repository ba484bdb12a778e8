"""Results of cases: read, dependencies minded, counted, told."""

from __future__ import annotations

from benchmarks.caches.results import Case, Kind, counts, failing, read, resolved, table

A = Case("s", "a", Kind.REQUIRED, (), "Assertion: Response 2 comes from cache")
B = Case("s", "b", Kind.REQUIRED, ("a",))
C = Case("s", "c", Kind.OPTIMAL, ("b",))
D = Case("s", "d", Kind.OPTIMAL)
E = Case("s", "e", Kind.CHECK, (), "no")


def test_lines_become_cases_and_other_output_is_skipped() -> None:
    line = '{"suite": "s", "id": "b", "kind": "required", "depends": ["a"], "failure": ""}'
    assert read(["a warning", line]) == (B,)


def test_what_depends_on_a_failure_has_failed() -> None:
    failures = [case.failure for case in resolved([A, B, C, D])]
    assert failures == [
        "needs a" if case is B else told
        for case, told in zip((A, B, C, D), (A.failure, "", "needs b", ""), strict=True)
    ]


def test_an_unknown_dependency_does_not_count() -> None:
    assert resolved([B]) == (B,)


def test_counts_are_by_kind() -> None:
    cases = resolved([A, B, C, D])
    assert counts(cases, Kind.REQUIRED) == (0, 2)
    assert counts(cases, Kind.OPTIMAL) == (1, 2)


def test_the_table_and_the_list_of_failures() -> None:
    cases = resolved([A, C, D, E])
    assert table({"Winnow": cases}).splitlines()[-1].split() == ["Winnow", "0/1", "2/2", "0/1"]
    told = failing(cases, {"Squid": cases})
    assert told.splitlines() == [
        f"{'required':9} {'a':60} {A.failure} (so does Squid)",
    ]

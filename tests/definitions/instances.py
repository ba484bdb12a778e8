"""IB1 and IGTREE over instances: rows of values, each with its class (the thesis, chapter 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from sys import float_info

Row = Sequence[int]
BINS = 20
"""Into which TiMBL splits a number's distinct values before they are weighed."""


def entropy(values: Sequence[object]) -> float:
    """In bits."""
    shares = [count / len(values) for count in Counter(values).values()]
    return -sum(share * log2(share) for share in shares)


def gain(values: Sequence[int], classes: Sequence[int]) -> float:
    """Information gain (equation 3.3)."""
    rest = 0.0
    for value in set(values):
        those = [kind for kind, other in zip(classes, values, strict=True) if other == value]
        rest += len(those) / len(values) * entropy(those)
    return entropy(classes) - rest


def gain_ratio(values: Sequence[int], classes: Sequence[int]) -> float:
    """Equation 3.4."""
    split = entropy(values)
    return gain(values, classes) / split if split > 1e-12 else 0.0


def chi_square(values: Sequence[int], classes: Sequence[int]) -> float:
    """Equation 3.6: Pearson's statistic of values against classes."""
    seen, size = Counter(zip(values, classes, strict=True)), len(values)
    of_value, of_class = Counter(values), Counter(classes)
    return sum(
        (seen[value, kind] - count * other / size) ** 2 / (count * other / size)
        for value, count in of_value.items()
        for kind, other in of_class.items()
    )


def shared_variance(values: Sequence[int], classes: Sequence[int]) -> float:
    """Equation 3.7."""
    freedom = min(len(set(values)), len(set(classes))) - 1
    return chi_square(values, classes) / (len(values) * freedom) if freedom else 0.0


WEIGHTS: Mapping[str, Callable[[Sequence[int], Sequence[int]], float]] = {
    "nw": lambda values, classes: 1.0,
    "ig": gain,
    "gr": gain_ratio,
    "x2": chi_square,
    "sv": shared_variance,
}


def weights(
    rows: Sequence[Row], classes: Sequence[int], numeric: Sequence[bool], name: str
) -> list[float]:
    """The weight of each feature."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [
        WEIGHTS[name](binned(column) if is_number else column, classes)
        for column, is_number in zip(columns, numeric, strict=True)
    ]


def binned(values: Sequence[int]) -> list[int]:
    """A number's distinct values in twenty classes of as many each, the first ones one larger."""
    distinct = sorted(set(values))
    least, more = divmod(len(distinct), BINS)
    sizes = [least + (number < more) for number in range(BINS)]
    place = {value: number for number, size in enumerate(sizes) for value in _take(distinct, size)}
    return [place[value] for value in values]


def _take(values: list[int], count: int) -> list[int]:
    taken = values[:count]
    del values[:count]
    return taken


def summed(rows: Sequence[Row], classes: Sequence[int], numeric: Sequence[bool]) -> list[int]:
    """The features in the order in which TiMBL adds up a distance, whose last digit that decides:
    by gain ratio through the number of values."""
    worth = weights(rows, classes, numeric, "gr")
    values = [len(set(column)) for column in zip(*rows, strict=True)]
    return sorted(range(len(worth)), key=lambda feature: -worth[feature] / values[feature])


@dataclass(frozen=True)
class Ib1:
    """Stored instances with the weight of each feature, and the order of ``summed``."""

    rows: Sequence[Row]
    classes: Sequence[int]
    numeric: Sequence[bool]
    weight: Sequence[float]
    order: Sequence[int]

    def predict(self, query: Row, k: int, rank: Sequence[int]) -> int:
        """The class that most instances at the k smallest distances have (equations 3.1, 3.2).

        In a tie one distance more counts; in another one the first class of ``rank``.
        """
        ordered = sorted(
            (self.distance(row, query), number) for number, row in enumerate(self.rows)
        )
        bins: list[tuple[float, list[int]]] = []
        for apart, number in ordered:
            if not bins or apart - bins[-1][0] >= float_info.epsilon:
                bins.append((apart, []))
            bins[-1][1].append(self.classes[number])
        votes = [[kind for _, those in bins[:count] for kind in those] for count in (k, k + 1)]
        first, second = (_most(each, rank) for each in votes)
        return second[0] if len(first) > 1 and len(second) == 1 else first[0]

    def distance(self, row: Row, query: Row) -> float:
        """Weighted overlap; of numbers the difference through their span."""
        found = 0.0
        for feature in self.order:
            one, other = row[feature], query[feature]
            if self.numeric[feature] and self.spans[feature]:
                found += abs(one - other) / self.spans[feature] * self.weight[feature]
            elif one != other:
                found += self.weight[feature]
        return found

    @cached_property
    def spans(self) -> list[int]:
        """The largest less the smallest value of each feature."""
        return [max(column) - min(column) for column in zip(*self.rows, strict=True)]


def _most(votes: Sequence[int], rank: Sequence[int]) -> list[int]:
    counts = Counter(votes)
    return [kind for kind in rank if counts[kind] == max(counts.values())]


def igtree(
    rows: Sequence[Row],
    classes: Sequence[int],
    weight: Sequence[float],
    query: Row,
    rank: Sequence[int],
) -> int:
    """The class most frequent among the instances that agree with the query on the features of most
    weight, one feature after the other as long as there are any of several classes (3.2.2)."""
    order = sorted(range(len(weight)), key=lambda feature: -weight[feature])
    left = list(zip(rows, classes, strict=True))
    found = rank[0]
    for feature in order:
        left = [(row, kind) for row, kind in left if row[feature] == query[feature]]
        if not left:
            break
        found = _most([kind for _, kind in left], rank)[0]
        if len({kind for _, kind in left}) == 1:
            break
    return found

from collections.abc import Callable, Collection, Mapping

from winnow.document.render.article.clean_html import Rows

def write(
    markup: str,
    elements: Rows,
    segments: Rows,
    given: Mapping[int, str],
    roles: tuple[
        tuple[str, ...],
        tuple[str, ...],
        tuple[str, ...],
        tuple[tuple[str, ...] | None, ...],
        Rows,
        int,
        int,
        int,
    ],
    plan: tuple[Mapping[int, int], Collection[int], Mapping[int, str], Mapping[int, str]],
    roots: tuple[str | None, str | None],
    callbacks: tuple[
        Callable[[int, str, str], tuple[str, str]],
        Callable[[int, str], str],
        Callable[[int], str],
    ],
    /,
) -> list[str]: ...
def ready_set(srcset: str, absolute: str, below: str, /) -> str: ...

from collections.abc import Callable, Container

def attributes(
    markup: str,
    start: int,
    end: int,
    among: Container[str] | None,
    unescape: Callable[[str], str],
    /,
) -> dict[str, str]: ...
def fragments(markup: str, /) -> list[str]: ...
def standing(markup: str, word: str, rare: int, /) -> list[int]: ...

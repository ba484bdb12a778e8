def scan(
    markup: str,
    names: tuple[str, ...],
    edges: bytes,
    flags: bytes,
    separators: tuple[str, ...],
    checked: bool,
    /,
) -> tuple[str, bytes, bytes] | None: ...
